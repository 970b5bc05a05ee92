// What the driver offers beyond the core: names with versions, and functions by name.
#pragma once
#include <cstdint>
#include <span>

namespace zeroth::cpu {

struct Extension {
  const char* name;
  std::uint32_t version;
};

std::span<const Extension> supported_extensions();

// The address of an API function of this driver, or null.
void* extension_function(const char* name);

} // namespace zeroth::cpu
