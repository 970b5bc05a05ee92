// What this machine's CPU offers, in LLVM's feature names, found without LLVM: part of every cache key and the check
// before foreign native code is loaded.
#pragma once

#include "kernel_compiler.hpp"

#include <optional>
#include <string_view>

namespace zeroth::compiler {

// "+avx,+avx2,-avx512f,…": every feature of the table, so that nothing is left to the compiler's guess. The CPU name is
// "native": the worker, which runs on the same machine, knows LLVM's name for it.
// `level` leaves out what is above it: "sse" (no AVX), "avx2" (no AVX-512), "avx512" or "" (all). Nothing for other
// words.
std::optional<CpuTarget> detect_host_cpu(std::string_view level = "");

// The first feature with '+' in `features` that this machine lacks or that is not known here; "" if all are there.
std::string missing_feature(std::string_view features);

} // namespace zeroth::compiler
