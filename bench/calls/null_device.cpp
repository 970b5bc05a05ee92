// A device that does nothing, so that a benchmark of calls through a loader measures the loader. One driver, one
// device; objects are made and destroyed, every measured function returns at once. It runs under any Level Zero loader.
#include <zeroth/device/all.hpp>
#include <zeroth/device/entry.hpp>

#include <sdk/zeroth_plugin.h>

#include <algorithm>
#include <cstring>

namespace {

using namespace zeroth;

// Creates a T and hands out its handle.
template <class T, class Handle> ze_result_t create(Handle* handle) {
  *handle = device::to_handle(new T);
  return ZE_RESULT_SUCCESS;
}

// Destroys itself.
template <class Base> struct Object : Base {
  ze_result_t destroy() override {
    delete this;
    return ZE_RESULT_SUCCESS;
  }
};

struct NullEvent : Object<device::Event> {
  ze_result_t query_status() override { return ZE_RESULT_SUCCESS; }
};

struct NullEventPool : Object<device::EventPool> {
  ze_result_t event_create(const ze_event_desc_t*, ze_event_handle_t* event) override {
    return create<NullEvent>(event);
  }
};

struct NullKernel : Object<device::Kernel> {};

struct NullModule : Object<device::Module> {
  ze_result_t kernel_create(const ze_kernel_desc_t*, ze_kernel_handle_t* kernel) override {
    return create<NullKernel>(kernel);
  }
};

struct NullCommandList : Object<device::CommandList> {
  ze_result_t append_launch_kernel(ze_kernel_handle_t, const ze_group_count_t*, ze_event_handle_t, uint32_t,
                                   ze_event_handle_t*) override {
    return ZE_RESULT_SUCCESS;
  }
};

struct NullContext : Object<device::Context> {
  ze_result_t event_pool_create(const ze_event_pool_desc_t*, uint32_t, ze_device_handle_t*,
                                ze_event_pool_handle_t* pool) override {
    return create<NullEventPool>(pool);
  }
  ze_result_t command_list_create(ze_device_handle_t, const ze_command_list_desc_t*,
                                  ze_command_list_handle_t* list) override {
    return create<NullCommandList>(list);
  }
  ze_result_t module_create(ze_device_handle_t, const ze_module_desc_t*, ze_module_handle_t* module,
                            ze_module_build_log_handle_t*) override {
    return create<NullModule>(module);
  }
};

// One object, given out as the two-step enumeration functions want it.
template <class T, class Handle> ze_result_t enumerate(T& object, uint32_t* count, Handle* handles) {
  if (*count && handles) handles[0] = device::to_handle(&object);
  *count = 1;
  return ZE_RESULT_SUCCESS;
}

struct NullDevice : device::Device {
  ze_result_t get_properties(ze_device_properties_t* properties) override {
    properties->type = ZE_DEVICE_TYPE_GPU;
    std::strcpy(properties->name, "null device");
    return ZE_RESULT_SUCCESS;
  }
};

struct NullDriver : device::Driver {
  ze_result_t get_api_version(ze_api_version_t* version) override {
    *version = ZE_API_VERSION_CURRENT;
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t get_properties(ze_driver_properties_t* properties) override {
    properties->driverVersion = 1;
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t get_extension_properties(uint32_t* count, ze_driver_extension_properties_t*) override {
    *count = 0;
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t device_get(uint32_t* count, ze_device_handle_t* devices) override {
    return enumerate(device, count, devices);
  }
  ze_result_t context_create(const ze_context_desc_t*, ze_context_handle_t* context) override {
    return create<NullContext>(context);
  }
  ze_result_t context_create_ex(const ze_context_desc_t*, uint32_t, ze_device_handle_t*,
                                ze_context_handle_t* context) override {
    return create<NullContext>(context);
  }
  NullDevice device;
};

struct NullEntry : device::Entry {
  ze_result_t init(ze_init_flags_t) override { return ZE_RESULT_SUCCESS; }
  ze_result_t driver_get(uint32_t* count, ze_driver_handle_t* drivers) override {
    return enumerate(driver, count, drivers);
  }
  ze_result_t init_drivers(uint32_t* count, ze_driver_handle_t* drivers, ze_init_driver_type_desc_t*) override {
    return enumerate(driver, count, drivers);
  }
  NullDriver driver;
};

} // namespace

zeroth::device::Entry& zeroth::device::entry() {
  static NullEntry& instance = *new NullEntry;
  return instance;
}

ZEROTH_PLUGIN_EXPORT const zeroth_plugin zeroth_plugin_descriptor = {
    .abi_version = ZEROTH_PLUGIN_ABI_VERSION,
    .struct_size = sizeof(zeroth_plugin),
    .kind = ZEROTH_PLUGIN_DEVICE,
    .api_version = ZE_API_VERSION_CURRENT,
    .name = "null",
    .version = "1.0",
    .description = "a device that does nothing",
    .provides = nullptr,
    .provides_count = 0,
    .option_count = 0,
    .options = nullptr,
    .init = nullptr,
    .fini = nullptr,
    .find_interface = nullptr,
    .apply = nullptr,
};
