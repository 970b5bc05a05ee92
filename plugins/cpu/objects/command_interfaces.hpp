// The capability interfaces that the device offers to overlays: command_walk and command_patch.
#pragma once
#include <cstdint>

namespace zeroth::cpu {

// Null for an unknown name or a version that is not there yet.
const void* find_interface(const char* name, std::uint32_t version);

} // namespace zeroth::cpu
