#include <registry/driver_order.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>

#include <sdk/log.hpp>

namespace zeroth::registry {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

constexpr std::array<std::string_view, 5> TypeNames = {"DISCRETE_GPU_ONLY", "GPU", "INTEGRATED_GPU_ONLY", "NPU",
                                                       "OTHER"};

template <class Visit> void for_each_item(std::string_view order, Visit visit) {
  while (!order.empty()) {
    const auto comma = std::min(order.find(','), order.size());
    visit(trimmed(order.substr(0, comma)));
    order.remove_prefix(std::min(comma + 1, order.size()));
  }
}

// The drivers that one item names, in the configured order.
std::vector<std::size_t> named_by(std::string_view item, const std::vector<std::string_view>& types) {
  if (const auto index = number(item)) return *index < types.size() ? std::vector{*index} : std::vector<std::size_t>{};
  const std::string_view type = trimmed(item.substr(0, item.find(':')));
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < types.size(); ++i)
    if (types[i] == type) found.push_back(i);
  if (type.size() == item.size()) return found;
  const auto index = number(trimmed(item.substr(item.find(':') + 1)));
  return index && *index < found.size() ? std::vector{found[*index]} : std::vector<std::size_t>{};
}

void add_once(std::vector<std::size_t>& order, std::size_t driver) {
  if (std::find(order.begin(), order.end(), driver) == order.end()) order.push_back(driver);
}

std::vector<ze_device_handle_t> devices_of(const Backend& backend) {
  std::vector<ze_device_handle_t> devices;
  for (const DriverEntry& driver : backend.drivers()) {
    const auto get = backend.composed().pCore->Device->pfnGet;
    std::uint32_t count = 0;
    if (get(driver.core, &count, nullptr) != ZE_RESULT_SUCCESS) continue;
    std::vector<ze_device_handle_t> some(count);
    if (get(driver.core, &count, some.data()) != ZE_RESULT_SUCCESS) continue;
    devices.insert(devices.end(), some.begin(), some.begin() + std::min<std::size_t>(count, some.size()));
  }
  return devices;
}

// The names of the variable; a driver with GPUs of both kinds is GPU.
std::string_view type_name(const Backend& backend) {
  bool discrete = false, integrated = false;
  for (ze_device_handle_t device : devices_of(backend)) {
    ze_device_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    if (backend.composed().pCore->Device->pfnGetProperties(device, &properties) != ZE_RESULT_SUCCESS) continue;
    if (properties.type == ZE_DEVICE_TYPE_VPU) return "NPU";
    if (properties.type != ZE_DEVICE_TYPE_GPU) continue;
    (properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED ? integrated : discrete) = true;
  }
  if (discrete && integrated) return "GPU";
  if (discrete) return "DISCRETE_GPU_ONLY";
  return integrated ? "INTEGRATED_GPU_ONLY" : "OTHER";
}

} // namespace

std::vector<std::string_view> meaningless(std::string_view order, std::size_t drivers) {
  std::vector<std::string_view> found;
  for_each_item(order, [&](std::string_view item) {
    const std::string_view type = trimmed(item.substr(0, item.find(':')));
    const bool known = std::find(TypeNames.begin(), TypeNames.end(), type) != TypeNames.end();
    const auto index = number(item);
    const bool counted = type.size() == item.size() || number(trimmed(item.substr(item.find(':') + 1)));
    if (!item.empty() && !(index ? *index < drivers : known && counted)) found.push_back(item);
  });
  return found;
}

std::vector<std::size_t> ordered(std::string_view order, const std::vector<std::string_view>& types) {
  std::vector<std::size_t> result;
  for_each_item(order, [&](std::string_view item) {
    for (std::size_t driver : named_by(item, types)) add_once(result, driver);
  });
  for (std::size_t driver = 0; driver < types.size(); ++driver) add_once(result, driver);
  return result;
}

void order_drivers(std::vector<std::unique_ptr<Backend>>& backends) {
  const char* order = std::getenv("ZEL_DRIVERS_ORDER");
  if (order == nullptr || backends.empty()) return;
  for (std::string_view item : meaningless(order, backends.size()))
    log(Level::Warning, "ZEL_DRIVERS_ORDER: `{}` names no driver; it takes numbers from 0 to {}, and {}, {}, {} and {}",
        item, backends.size() - 1, TypeNames[0], TypeNames[1], TypeNames[2], TypeNames[3]);
  if (backends.size() < 2) return;
  std::vector<std::string_view> types;
  for (const auto& backend : backends) types.push_back(type_name(*backend));
  std::vector<std::unique_ptr<Backend>> sorted;
  for (std::size_t index : ordered(order, types)) sorted.push_back(std::move(backends[index]));
  backends = std::move(sorted);
}

} // namespace zeroth::registry
