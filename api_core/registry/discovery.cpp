#include <registry/discovery.hpp>

#include <algorithm>

namespace zeroth::registry {
namespace {

template <class Handle, class List> std::vector<Handle> list_all(List list) {
  std::uint32_t count = 0;
  if (list(&count, nullptr) != ZE_RESULT_SUCCESS || count == 0) return {};
  std::vector<Handle> handles(count, nullptr);
  if (list(&count, handles.data()) != ZE_RESULT_SUCCESS) return {};
  handles.resize(std::min<std::size_t>(count, handles.size()));
  std::erase(handles, nullptr);
  return handles;
}

using Drivers = std::vector<ze_driver_handle_t>;

Drivers ask_with_init_drivers(const ze_handle_t& own, ze_init_driver_type_flags_t flags) {
  const auto init_drivers = own.pCore->Global->pfnInitDrivers;
  if (init_drivers == nullptr) return {};
  ze_init_driver_type_desc_t desc{ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, nullptr, flags};
  return list_all<ze_driver_handle_t>(
      [&](std::uint32_t* count, ze_driver_handle_t* handles) { return init_drivers(count, handles, &desc); });
}

Drivers ask_with_init(const ze_handle_t& own, ze_init_flags_t flags) {
  const auto init = own.pCore->Global->pfnInit;
  const auto get = own.pCore->Driver->pfnGet;
  if (init == nullptr || get == nullptr || init(flags) != ZE_RESULT_SUCCESS) return {};
  return list_all<ze_driver_handle_t>(get);
}

bool contains(const Drivers& drivers, ze_driver_handle_t driver) {
  return std::find(drivers.begin(), drivers.end(), driver) != drivers.end();
}

} // namespace

std::vector<TypedDriver> ask_drivers(const ze_handle_t& own) {
  Drivers all = ask_with_init_drivers(own, UINT32_MAX);
  const bool modern = !all.empty();
  if (!modern) all = ask_with_init(own, 0);
  if (all.empty()) return {};
  const Drivers gpu =
      modern ? ask_with_init_drivers(own, ZE_INIT_DRIVER_TYPE_FLAG_GPU) : ask_with_init(own, ZE_INIT_FLAG_GPU_ONLY);
  const Drivers npu =
      modern ? ask_with_init_drivers(own, ZE_INIT_DRIVER_TYPE_FLAG_NPU) : ask_with_init(own, ZE_INIT_FLAG_VPU_ONLY);
  std::vector<TypedDriver> typed;
  for (ze_driver_handle_t driver : all) {
    const Types types = (contains(gpu, driver) ? Gpu : 0) | (contains(npu, driver) ? Npu : 0);
    typed.push_back({driver, types == 0 ? Other : types});
  }
  return typed;
}

std::vector<zes_driver_handle_t> ask_sysman_drivers(const ze_handle_t& own) {
  const auto init = own.pSysman->Global->pfnInit;
  const auto get = own.pSysman->Driver->pfnGet;
  if (init == nullptr || get == nullptr || init(0) != ZE_RESULT_SUCCESS) return {};
  return list_all<zes_driver_handle_t>(get);
}

} // namespace zeroth::registry
