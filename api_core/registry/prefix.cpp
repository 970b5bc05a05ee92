#include <registry/prefix.hpp>

#include <cstring>
#include <vector>

namespace zeroth::registry {
namespace {

template <class T> void store(T*& place, T* value) {
  if (__atomic_load_n(&place, __ATOMIC_RELAXED) != value) __atomic_store_n(&place, value, __ATOMIC_RELEASE);
}

template <class Container> bool is_ours(const Container* container) {
  return container != nullptr && container->isValidFlag != 0 && container->version == ZE_API_VERSION_CURRENT;
}

// 0 when the driver does not list the extension.
std::uint32_t ddi_handles_version(const ze_handle_t& own, ze_driver_handle_t driver) {
  const auto get = own.pCore->Driver->pfnGetExtensionProperties;
  std::uint32_t count = 0;
  if (get == nullptr || get(driver, &count, nullptr) != ZE_RESULT_SUCCESS) return 0;
  std::vector<ze_driver_extension_properties_t> extensions(count);
  if (get(driver, &count, extensions.data()) != ZE_RESULT_SUCCESS) return 0;
  for (const auto& extension : extensions)
    if (std::strcmp(extension.name, ZE_DRIVER_DDI_HANDLES_EXT_NAME) == 0) return extension.version;
  return 0;
}

bool ddi_handles_enabled(const ze_handle_t& own, ze_driver_handle_t driver) {
  const auto get = own.pCore->Driver->pfnGetProperties;
  ze_driver_ddi_handles_ext_properties_t handles{ZE_STRUCTURE_TYPE_DRIVER_DDI_HANDLES_EXT_PROPERTIES, nullptr, 0};
  ze_driver_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
  properties.pNext = &handles;
  if (get == nullptr || get(driver, &properties) != ZE_RESULT_SUCCESS) return false;
  return (handles.flags & ZE_DRIVER_DDI_HANDLE_EXT_FLAG_DDI_HANDLE_EXT_SUPPORTED) != 0;
}

} // namespace

void set_prefix(ze_handle_t& object, const ze_handle_t& containers, PrefixSize size) {
  store(object.pCore, containers.pCore);
  store(object.pTools, containers.pTools);
  store(object.pSysman, containers.pSysman);
  if (size == PrefixSize::Four) store(object.pRuntime, containers.pRuntime);
}

void redirect_tables(const ze_handle_t& object, const ze_handle_t& tables) {
  for (const TableInfo& table : all_tables) store(*table_pointer(object, table), *table_pointer(tables, table));
}

bool has_our_layout(const ze_handle_t& object) {
  return is_ours(object.pCore) && is_ours(object.pTools) && is_ours(object.pSysman) && is_ours(object.pRuntime);
}

PrefixSize prefix_of_foreign(const ze_handle_t& own, ze_driver_handle_t driver) {
  const std::uint32_t version = ddi_handles_version(own, driver);
  if (version == 0 || !ddi_handles_enabled(own, driver)) return PrefixSize::None;
  return version >= ZE_DRIVER_DDI_HANDLES_EXT_VERSION_1_1 ? PrefixSize::Four : PrefixSize::Three;
}

} // namespace zeroth::registry
