#include "fdinfo.hpp"

#include "numbers.hpp"

#include <algorithm>

namespace zeroth::sysman::parse {
namespace {

// "1234 KiB", "1234 ns", "1234".
std::uint64_t amount(std::string_view value) {
  const auto number = integer(next_word(value));
  if (!number || *number < 0) return 0;
  const std::string_view unit = trimmed(value);
  const unsigned shift = unit == "KiB" ? 10 : unit == "MiB" ? 20 : unit == "GiB" ? 30 : 0;
  return *number > (INT64_MAX >> shift) ? 0 : static_cast<std::uint64_t>(*number) << shift;
}

// What a region holds of the device's own memory: of others, nothing.
std::uint64_t on_device(std::string_view region, std::string_view value) {
  return region.starts_with("vram") || region.starts_with("local") ? amount(value) : 0;
}

void take(std::string_view key, std::string_view value, DrmClient& client) {
  constexpr std::string_view Engine = "drm-engine-", Capacity = "drm-engine-capacity-", Memory = "drm-memory-",
                             Total = "drm-total-", Shared = "drm-shared-";
  if (key == "drm-pdev") client.pci = value;
  if (key == "drm-client-id") client.id = amount(value);
  if (key.starts_with(Engine) && !key.starts_with(Capacity))
    client.engines[std::string(key.substr(Engine.size()))] = amount(value);
  for (const std::string_view prefix : {Memory, Total})
    if (key.starts_with(prefix)) // a driver writes one, or both for the same
      client.memory = std::max(client.memory.value_or(0), on_device(key.substr(prefix.size()), value));
  if (key.starts_with(Shared)) client.shared = client.shared.value_or(0) + on_device(key.substr(Shared.size()), value);
}

} // namespace

std::optional<DrmClient> drm_client(std::string_view text) {
  DrmClient client;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    take(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)), client);
  }
  if (client.pci.empty()) return std::nullopt;
  return client;
}

} // namespace zeroth::sysman::parse
