#include "build_flags.hpp"

#include <algorithm>
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

constexpr std::string_view fault_prefix = "-zeroth-fault=";

void apply(const std::string& flag, BuildFlags& flags, BuildLog& log) {
  if (flag == "-g") {
    flags.debug = true;
  } else if (flag.starts_with(fault_prefix)) {
    flags.fault = flag.substr(fault_prefix.size());
  } else if (flag == "-library-compilation") {
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
