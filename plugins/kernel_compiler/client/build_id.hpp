// Tells builds of the worker program apart without starting it.
#pragma once

#include <string>

namespace zeroth::compiler {

// The GNU build id of an ELF program in hex; for a program without one, its size and time. "" if it cannot be read.
std::string build_id_of(const std::string& path);

} // namespace zeroth::compiler
