// A relocatable ELF object that holds nothing but one section: the way metadata gets into the linked file, since it is
// known only after code generation.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace zeroth::compiler {

std::vector<std::byte> make_section_object(const char* section, std::span<const std::byte> content);

} // namespace zeroth::compiler
