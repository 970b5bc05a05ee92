// Names that SPIR-V modules exchange when they are linked, read from their words as far as these can be read.
#pragma once
#include <kernel_compiler/client/kernel_compiler.hpp>

#include <set>
#include <string>

namespace zeroth::cpu {

enum class Linkage : std::uint32_t { Export = 0, Import = 1 };

bool declares_linkage(compiler::Bytes spirv);
// Of functions and variables. Compiled code lists those alone that have an address, and most functions end inside
// kernels.
void add_linkage_names(compiler::Bytes spirv, Linkage linkage, std::set<std::string>& names);
void add_kernel_names(compiler::Bytes spirv, std::set<std::string>& names);
// A copy whose functions and variables of these names are its own.
std::vector<std::byte> without_exports(compiler::Bytes spirv, const std::set<std::string>& names);

} // namespace zeroth::cpu
