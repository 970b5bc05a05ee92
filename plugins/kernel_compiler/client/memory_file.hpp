// Files without a name: how requests travel to the worker and finished code comes back.
#pragma once

#include "descriptor.hpp"
#include "kernel_compiler.hpp"

namespace zeroth::compiler {

// An anonymous file, close-on-exec, whose pages may be executed; in a temporary folder where the kernel has no memfd.
// `name` is what debuggers and profilers show. Throws std::system_error.
Descriptor make_memory_file(const char* name);

// Throws std::system_error.
void write_all(int fd, Bytes data);

// The whole file from its start. Throws std::system_error; a file larger than `limit` is refused with EFBIG.
std::vector<std::byte> read_all(int fd, uint64_t limit = uint64_t{1} << 32);

} // namespace zeroth::compiler
