#!/usr/bin/env bash
# tools/deps.sh [--dev] [--bench] [--list]
#
# Installs the distribution packages that Zeroth needs (Debian 12, Debian 13, Ubuntu 24.04). Run it as often as you
# like: when nothing is missing it changes nothing and asks for no rights.
#   (no option)  what a built Zeroth needs to run
#   --dev        also what building and testing it needs
#   --bench      also the rivals that bench/ measures against
#   --list       only print the packages, one a line
set -euo pipefail

dev=false bench=false list=false
for option in "$@"; do
  case $option in
    --dev) dev=true ;;
    --bench) bench=true ;;
    --list) list=true ;;
    *) sed -n '2,10s/^# \{0,1\}//p' "$0"; [ "$option" = --help ] && exit 0 || exit 2 ;;
  esac
done

. /etc/os-release
case "$ID-${VERSION_ID:-}" in
  debian-12) llvm=22 boost=1.81 libraries="libyaml-cpp0.7 libpng16-16" ;;
  debian-13) llvm=19 boost=1.83 libraries="libyaml-cpp0.8 libpng16-16t64" ;;
  ubuntu-24.04) llvm=20 boost=1.83 libraries="libyaml-cpp0.8 libpng16-16t64" ;;
  *)
    echo "tools/deps.sh knows Debian 12, Debian 13 and Ubuntu 24.04; this is ${PRETTY_NAME:-unknown}." >&2
    if ! $list; then
      echo "tools/deps.sh --list [--dev] names what to install by hand, in the words of Debian 13." >&2
      exit 2
    fi
    echo "In the words of Debian 13:" >&2
    llvm=19 boost=1.83 libraries="libyaml-cpp0.8 libpng16-16t64" ;;
esac

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
offered() { [ -n "$(apt-cache show "$1" 2>/dev/null)" ]; }

# One LLVM, the newest from 19 on; a complete one that is there already wins, so that a second run changes nothing.
choose_llvm() {
  local version
  for version in 22 21 20 19; do
    if installed "llvm-$version-dev" && installed "liblld-$version-dev"; then llvm=$version; return; fi
  done
  for version in 22 21 20 19; do
    if offered "llvm-$version-dev" && offered "liblld-$version-dev"; then llvm=$version; return; fi
  done
}

run_packages() { printf '%s\n' $libraries libhwloc15; }

dev_packages() {
  printf '%s\n' g++ cmake ninja-build ccache pkg-config python3 python3-dev python3-pip python3-venv git
  printf '%s\n' "llvm-$llvm-dev" "llvm-$llvm" "clang-$llvm" "lld-$llvm" "liblld-$llvm-dev" "libclang-rt-$llvm-dev"
  if [ "$llvm" -lt 22 ] && offered "llvm-spirv-$llvm"; then echo "llvm-spirv-$llvm"; fi # from 22 on clang needs none
  printf '%s\n' "libboost$boost-dev" "libboost-context$boost-dev" "libboost-fiber$boost-dev" \
    "libboost-filesystem$boost-dev"
  printf '%s\n' libyaml-cpp-dev libcli11-dev libfmt-dev nlohmann-json3-dev libhwloc-dev libpng-dev zlib1g-dev \
    libzstd-dev libgtest-dev libgmock-dev libbenchmark-dev spirv-headers spirv-tools libze1 gdb python3-jsonschema
  printf '%s\n' g++-aarch64-linux-gnu qemu-user # kernels for another machine are run, too
}

bench_packages() { printf '%s\n' pocl-opencl-icd ocl-icd-opencl-dev opencl-c-headers python3-venv; }

packages() {
  run_packages
  if $dev; then dev_packages; fi
  if $bench; then bench_packages; fi
}

missing() {
  local package
  for package in $(packages); do installed "$package" || echo "$package"; done
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

choose_llvm
if $list; then packages | sort -u; exit; fi
if [ -z "$(missing)" ]; then exit; fi

as_root apt-get update -q
choose_llvm
echo "Installing:" $(missing)
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $(missing)
