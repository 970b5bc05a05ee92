// /proc/PID/fdinfo/N of a GPU's file: what one client of the GPU has used of it (drm-usage-stats).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace zeroth::sysman::parse {

struct DrmClient {
  std::string pci;
  std::uint64_t id = 0;
  std::map<std::string, std::uint64_t> engines; // nanoseconds, by the driver's name of the engine
  std::optional<std::uint64_t> memory, shared;  // bytes on the device; absent where its driver tells none at all
};

// Absent for files that are no client of a GPU.
std::optional<DrmClient> drm_client(std::string_view text);

} // namespace zeroth::sysman::parse
