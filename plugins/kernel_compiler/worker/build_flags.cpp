#include "build_flags.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <sstream>

namespace zeroth::compiler {
namespace {

// Accepted and without effect: our code is right without them, or they ask for what is always so.
constexpr std::string_view without_effect[] = {
    "-ze-opt-greater-than-4GB-buffer-required",
    "-ze-opt-large-register-file",
    "-ze-opt-has-buffer-offset-arg",
    "-ze-take-global-address",
    "-cl-std=CL1.2",
    "-cl-std=CL2.0",
    "-cl-std=CL3.0",
    "-cl-mad-enable",
    "-cl-fast-relaxed-math",
    "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only",
    "-cl-no-signed-zeros",
    "-cl-denorms-are-zero",
    "-cl-uniform-work-group-size",
    "-cl-kernel-arg-info",
    "-w",
};

constexpr std::string_view fault_prefix = "-zeroth-fault=", emit_prefix = "-zeroth-emit=",
                           engine_prefix = "-zeroth-engine=", width_prefix = "-zeroth-width=";
constexpr uint32_t widest = 64;

// "llvm" of "-zeroth-emit=llvm" when it is one of `known`; throws BuildError otherwise.
std::string choice(const std::string& flag, std::string_view prefix, std::initializer_list<std::string_view> known) {
  const std::string word = flag.substr(prefix.size());
  if (std::ranges::find(known, word) == known.end()) throw BuildError("build flag " + flag + ": unknown value");
  return word;
}

uint32_t width_of(const std::string& flag) {
  uint32_t width = 0;
  const char* end = flag.data() + flag.size();
  const auto [stop, error] = std::from_chars(flag.data() + width_prefix.size(), end, width);
  if (error != std::errc() || stop != end || !std::has_single_bit(width) || width > widest)
    throw BuildError("build flag " + flag + ": a width is a power of two up to 64");
  return width;
}

void apply(const std::string& flag, BuildFlags& flags, BuildLog& log) {
  if (flag == "-g") {
    flags.debug = true;
  } else if (flag.starts_with(fault_prefix)) {
    flags.fault = flag.substr(fault_prefix.size());
  } else if (flag.starts_with(emit_prefix)) {
    flags.listing = choice(flag, emit_prefix, {"llvm", "asm"});
  } else if (flag.starts_with(engine_prefix)) {
    flags.engine = choice(flag, engine_prefix, {"loop", "region", "fiber"});
  } else if (flag.starts_with(width_prefix)) {
    flags.width = width_of(flag);
  } else if (flag == "-library-compilation" || flag == "-ze-library-compilation") {
    flags.library = true;
  } else if (flag == "-v") {
    flags.verbose = true;
  } else if (flag == "-ze-opt-disable" || flag == "-cl-opt-disable" || flag == "-ze-opt-level=0" || flag == "-O0") {
    flags.optimization = 0;
  } else if (flag == "-ze-opt-level=1" || flag == "-ze-opt-level=2" || flag == "-O1" || flag == "-O2" ||
             flag == "-O3") {
    // Full optimisation is what there is.
  } else if (std::ranges::find(without_effect, flag) == std::end(without_effect)) {
    log.line("build flag ignored: " + flag);
  }
}

} // namespace

BuildFlags parse_build_flags(const CompileRequest& request, BuildLog& log) {
  BuildFlags flags;
  for (const ModuleInput& input : request.inputs) {
    std::istringstream words(input.options);
    for (std::string flag; words >> flag;) apply(flag, flags, log);
  }
  return flags;
}

} // namespace zeroth::compiler
