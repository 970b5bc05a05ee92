// The build flags of zeModuleCreate and the usual OpenCL ones.
#pragma once

#include "../client/kernel_compiler.hpp"
#include "build_log.hpp"

namespace zeroth::compiler {

struct BuildFlags {
  int optimization = 2; // 0: -ze-opt-disable, -ze-opt-level=0
  bool debug = false;   // -g
  bool verbose = false; // -v: the log says what became of each kernel
  bool library = false; // -library-compilation: inline functions of the source are exported, too
  // How tools look at a module and tests compare its forms; both are no interface for programs.
  std::string listing; // -zeroth-emit=llvm|asm: the log ends with that text, behind `listing_mark`
  std::string engine;  // -zeroth-engine=loop|region|fiber, where the kernel allows it
  uint32_t width = 0;  // -zeroth-width=N: work-items a slice; 0: chosen
  std::string fault; // -zeroth-fault=crash|hang|memory|killed|sandbox: how tests see what those look like from outside
};

// Flags of all inputs together: the least optimisation wins. What is unknown is named in the log and ignored.
BuildFlags parse_build_flags(const CompileRequest& request, BuildLog& log);

} // namespace zeroth::compiler
