// Another maker's driver, as the core must take it: no descriptor, an older API version, tables with holes.
//   FOREIGN_DDI   its objects start with a prefix and its containers have the layout of version 1.15
//   otherwise     its objects are its own affair: nothing before their first member is the core's to read
// Every function checks that each handle it gets is one of its own, of the right kind; else it answers UNKNOWN.
#include <atomic>
#include <cstring>
#include <initializer_list>
#include <new>

#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>
#include <level_zero/zer_ddi.h>
#include <level_zero/zes_ddi.h>
#include <level_zero/zet_ddi.h>
// after the tables
#include <level_zero/ze_ddi_common.h>

namespace {

constexpr ze_api_version_t Version = ZE_API_VERSION_1_15;
constexpr uint64_t Alive = 0x666f726569676e21;

enum class Kind { Driver, Device, Context, Pool, Event, List, Module, Log };

struct Object {
#ifdef FOREIGN_DDI
  // Handles of version 1.0: three pointers, then the driver's own.
  ze_dditable_driver_t* core;
  zet_dditable_driver_t* tools;
  zes_dditable_driver_t* sysman;
#endif
  uint64_t alive = Alive;
  Kind kind;
  std::atomic<bool> signalled{false};
};

#ifdef FOREIGN_DDI
// What this maker's objects point at: written by hand, and full of null tables. Programs' calls must not end here.
template <class Container> Container without_tables() {
  Container container{};
  container.version = Version;
  container.isValidFlag = 1;
  return container;
}
auto core_container = without_tables<ze_dditable_driver_t>();
auto tools_container = without_tables<zet_dditable_driver_t>();
auto sysman_container = without_tables<zes_dditable_driver_t>();
#endif

template <class Handle> Handle make(Kind kind) {
  auto* object = new Object;
#ifdef FOREIGN_DDI
  object->core = &core_container;
  object->tools = &tools_container;
  object->sysman = &sysman_container;
#endif
  object->kind = kind;
  return reinterpret_cast<Handle>(object);
}

bool is(const void* handle, Kind kind) {
  const auto* object = static_cast<const Object*>(handle);
  return object != nullptr && object->alive == Alive && object->kind == kind;
}

Object& object(void* handle) { return *static_cast<Object*>(handle); }

ze_result_t destroy(void* handle, Kind kind) {
  if (!is(handle, kind)) return ZE_RESULT_ERROR_UNKNOWN;
  object(handle).alive = 0;
  delete static_cast<Object*>(handle);
  return ZE_RESULT_SUCCESS;
}

ze_driver_handle_t driver() {
  static const auto only = make<ze_driver_handle_t>(Kind::Driver);
  return only;
}

ze_device_handle_t device() {
  static const auto only = make<ze_device_handle_t>(Kind::Device);
  return only;
}

template <class Handle> ze_result_t list_one(uint32_t* count, Handle* handles, Handle only) {
  if (handles != nullptr && *count > 0) handles[0] = only;
  *count = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL init(ze_init_flags_t flags) {
  return flags == ZE_INIT_FLAG_VPU_ONLY ? ZE_RESULT_ERROR_UNINITIALIZED : ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL driver_get(uint32_t* count, ze_driver_handle_t* drivers) {
  return list_one(count, drivers, driver());
}

ze_result_t ZE_APICALL device_get(ze_driver_handle_t handle, uint32_t* count, ze_device_handle_t* devices) {
  return is(handle, Kind::Driver) ? list_one(count, devices, device()) : ZE_RESULT_ERROR_UNKNOWN;
}

ze_result_t ZE_APICALL extensions(ze_driver_handle_t handle, uint32_t* count,
                                  ze_driver_extension_properties_t* properties) {
  if (!is(handle, Kind::Driver)) return ZE_RESULT_ERROR_UNKNOWN;
#ifdef FOREIGN_DDI
  if (properties != nullptr && *count > 0) {
    std::strcpy(properties->name, ZE_DRIVER_DDI_HANDLES_EXT_NAME);
    properties->version = ZE_DRIVER_DDI_HANDLES_EXT_VERSION_1_0;
  }
  *count = 1;
#else
  static_cast<void>(properties);
  *count = 0;
#endif
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL driver_properties(ze_driver_handle_t handle, ze_driver_properties_t* properties) {
  if (!is(handle, Kind::Driver)) return ZE_RESULT_ERROR_UNKNOWN;
#ifdef FOREIGN_DDI
  auto* next = static_cast<ze_driver_ddi_handles_ext_properties_t*>(properties->pNext);
  if (next != nullptr && next->stype == ZE_STRUCTURE_TYPE_DRIVER_DDI_HANDLES_EXT_PROPERTIES)
    next->flags = ZE_DRIVER_DDI_HANDLE_EXT_FLAG_DDI_HANDLE_EXT_SUPPORTED;
#endif
  properties->driverVersion = 5;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL device_properties(ze_device_handle_t handle, ze_device_properties_t* properties) {
  if (!is(handle, Kind::Device)) return ZE_RESULT_ERROR_UNKNOWN;
  properties->type = ZE_DEVICE_TYPE_GPU;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL context_create(ze_driver_handle_t handle, const ze_context_desc_t*,
                                      ze_context_handle_t* context) {
  if (!is(handle, Kind::Driver)) return ZE_RESULT_ERROR_UNKNOWN;
  *context = make<ze_context_handle_t>(Kind::Context);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL context_destroy(ze_context_handle_t handle) { return destroy(handle, Kind::Context); }

ze_result_t ZE_APICALL pool_create(ze_context_handle_t context, const ze_event_pool_desc_t*, uint32_t count,
                                   ze_device_handle_t* devices, ze_event_pool_handle_t* pool) {
  if (!is(context, Kind::Context)) return ZE_RESULT_ERROR_UNKNOWN;
  for (uint32_t i = 0; i < count; ++i)
    if (!is(devices[i], Kind::Device)) return ZE_RESULT_ERROR_UNKNOWN;
  *pool = make<ze_event_pool_handle_t>(Kind::Pool);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL pool_destroy(ze_event_pool_handle_t handle) { return destroy(handle, Kind::Pool); }

ze_result_t ZE_APICALL event_create(ze_event_pool_handle_t pool, const ze_event_desc_t*, ze_event_handle_t* event) {
  if (!is(pool, Kind::Pool)) return ZE_RESULT_ERROR_UNKNOWN;
  *event = make<ze_event_handle_t>(Kind::Event);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL event_destroy(ze_event_handle_t handle) { return destroy(handle, Kind::Event); }

ze_result_t ZE_APICALL event_signal(ze_event_handle_t handle) {
  if (!is(handle, Kind::Event)) return ZE_RESULT_ERROR_UNKNOWN;
  object(handle).signalled.store(true);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL event_status(ze_event_handle_t handle) {
  if (!is(handle, Kind::Event)) return ZE_RESULT_ERROR_UNKNOWN;
  return object(handle).signalled.load() ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}

ze_result_t ZE_APICALL list_create(ze_context_handle_t context, ze_device_handle_t on, const ze_command_queue_desc_t*,
                                   ze_command_list_handle_t* list) {
  if (!is(context, Kind::Context) || !is(on, Kind::Device)) return ZE_RESULT_ERROR_UNKNOWN;
  *list = make<ze_command_list_handle_t>(Kind::List);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL list_destroy(ze_command_list_handle_t handle) { return destroy(handle, Kind::List); }

ze_result_t ZE_APICALL list_device(ze_command_list_handle_t handle, ze_device_handle_t* on) {
  if (!is(handle, Kind::List)) return ZE_RESULT_ERROR_UNKNOWN;
  *on = device();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL append_barrier(ze_command_list_handle_t list, ze_event_handle_t signal, uint32_t count,
                                      ze_event_handle_t* waits) {
  if (!is(list, Kind::List)) return ZE_RESULT_ERROR_UNKNOWN;
  for (uint32_t i = 0; i < count; ++i)
    if (!is(waits[i], Kind::Event)) return ZE_RESULT_ERROR_UNKNOWN;
  return signal == nullptr ? ZE_RESULT_SUCCESS : event_signal(signal);
}

// No module can be built here; the log says why, and the module's handle is left as the program had it.
ze_result_t ZE_APICALL module_create(ze_context_handle_t context, ze_device_handle_t on, const ze_module_desc_t*,
                                     ze_module_handle_t*, ze_module_build_log_handle_t* log) {
  if (!is(context, Kind::Context) || !is(on, Kind::Device)) return ZE_RESULT_ERROR_UNKNOWN;
  if (log != nullptr) *log = make<ze_module_build_log_handle_t>(Kind::Log);
  return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
}

ze_result_t ZE_APICALL log_destroy(ze_module_build_log_handle_t handle) { return destroy(handle, Kind::Log); }

// As drivers do: a version that is newer than the driver is refused.
template <class Table, class Fill> ze_result_t give(ze_api_version_t version, Table* table, Fill fill) {
  if (table == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (version > Version) return ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
  fill(*table);
  return ZE_RESULT_SUCCESS;
}

} // namespace

#define GETTER(name, table, ...)                                                                                       \
  extern "C" __attribute__((visibility("default")))                                                                    \
  ze_result_t ZE_APICALL zeGet##name##ProcAddrTable(ze_api_version_t version, ze_##table##_dditable_t* out) {          \
    return give(version, out, [](auto& t) { __VA_ARGS__; });                                                           \
  }

GETTER(Global, global, t.pfnInit = init)
GETTER(Driver, driver, t.pfnGet = driver_get; t.pfnGetExtensionProperties = extensions;
       t.pfnGetProperties = driver_properties)
GETTER(Device, device, t.pfnGet = device_get; t.pfnGetProperties = device_properties)
GETTER(Context, context, t.pfnCreate = context_create; t.pfnDestroy = context_destroy)
GETTER(EventPool, event_pool, t.pfnCreate = pool_create; t.pfnDestroy = pool_destroy)
GETTER(Event, event, t.pfnCreate = event_create; t.pfnDestroy = event_destroy; t.pfnHostSignal = event_signal;
       t.pfnQueryStatus = event_status)
GETTER(CommandList, command_list, t.pfnCreateImmediate = list_create; t.pfnDestroy = list_destroy;
       t.pfnGetDeviceHandle = list_device; t.pfnAppendBarrier = append_barrier)
GETTER(Module, module, t.pfnCreate = module_create)
GETTER(ModuleBuildLog, module_build_log, t.pfnDestroy = log_destroy)
