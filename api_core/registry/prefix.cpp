#include <registry/prefix.hpp>

#include <algorithm>
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

} // namespace

void set_prefix(ze_handle_t& object, const ze_handle_t& containers) {
  store(object.pCore, containers.pCore);
  store(object.pTools, containers.pTools);
  store(object.pSysman, containers.pSysman);
  store(object.pRuntime, containers.pRuntime);
}

void redirect_tables(const ze_handle_t& object, const ze_handle_t& tables) {
  for (const TableInfo& table : all_tables) store(*table_pointer(object, table), *table_pointer(tables, table));
}

bool has_our_layout(const ze_handle_t& object) {
  return is_ours(object.pCore) && is_ours(object.pTools) && is_ours(object.pSysman) && is_ours(object.pRuntime);
}

bool has_ddi_handles(const ze_handle_t& own, ze_driver_handle_t driver) {
  const auto get = own.pCore->Driver->pfnGetExtensionProperties;
  std::uint32_t count = 0;
  if (get == nullptr || get(driver, &count, nullptr) != ZE_RESULT_SUCCESS) return false;
  std::vector<ze_driver_extension_properties_t> extensions(count);
  if (get(driver, &count, extensions.data()) != ZE_RESULT_SUCCESS) return false;
  return std::any_of(extensions.begin(), extensions.end(), [](const auto& extension) {
    return std::strcmp(extension.name, ZE_DRIVER_DDI_HANDLES_EXT_NAME) == 0 &&
           extension.version >= ZE_DRIVER_DDI_HANDLES_EXT_VERSION_1_0;
  });
}

} // namespace zeroth::registry
