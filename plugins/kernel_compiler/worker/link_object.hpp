// From relocatable objects to a shared object, by lld in this process.
#pragma once

#include "../client/kernel_compiler.hpp"
#include "build_log.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace zeroth::compiler {

// Inputs are relocatable objects or archives of them. Exports keep their visibility; undefined symbols other than a few
// of the C library are a BuildError that names them.
std::vector<std::byte> link_shared_object(std::span<const Bytes> inputs, BuildLog& log);

// How lld hands over its result. Through the standard output nothing touches the file system, which a compile process
// may not write to; in a host process the standard output is not ours, and a temporary folder serves.
enum class LinkOutput { StandardOutput, TemporaryFolder };
void set_link_output(LinkOutput output);

// Whether a relocatable object defines a symbol that a shared object made from it exports.
bool exports_symbol(Bytes object, const std::string& name);

// Where a section's bytes lie in a linked file. Throws BuildError if there is none.
struct SectionRange {
  uint64_t offset, size;
};
SectionRange find_section(Bytes shared_object, const char* name);

} // namespace zeroth::compiler
