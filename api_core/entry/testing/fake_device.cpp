// A device plugin for the tests of the core: one driver, one device of type FAKE_TYPE, contexts, modules without
// content and events that only the host signals. Everything outlives the process's exit.
#include <atomic>
#include <cstring>

#include <sdk/error.hpp>
#include <sdk/zeroth_plugin.h>
#include <zeroth/api/tables.hpp>
#include <zeroth/device/all.hpp>
#include <zeroth/device/entry.hpp>

namespace {

using namespace zeroth;

class FakeEvent final : public device::Event {
public:
  ze_result_t destroy() override {
    delete this;
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t query_status() override { return signalled_.load() ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY; }
  ze_result_t host_signal() override {
    signalled_.store(true);
    return ZE_RESULT_SUCCESS;
  }

private:
  std::atomic<bool> signalled_{false};
};

class FakePool final : public device::EventPool {
public:
  ze_result_t destroy() override {
    delete this;
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t event_create(const ze_event_desc_t*, ze_event_handle_t* event) override {
    *event = to_handle(new FakeEvent);
    return ZE_RESULT_SUCCESS;
  }
};

class FakeModule final : public device::Module {
public:
  ze_result_t destroy() override {
    delete this;
    return ZE_RESULT_SUCCESS;
  }
};

class FakeContext final : public device::Context {
public:
  ze_result_t destroy() override {
    delete this;
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t event_pool_create(const ze_event_pool_desc_t*, uint32_t, ze_device_handle_t*,
                                ze_event_pool_handle_t* pool) override {
    *pool = to_handle(new FakePool);
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t module_create(ze_device_handle_t, const ze_module_desc_t*, ze_module_handle_t* module,
                            ze_module_build_log_handle_t*) override {
    *module = to_handle(new FakeModule);
    return ZE_RESULT_SUCCESS;
  }
};

#ifdef FAKE_METER
// A driver with sysman of its own, for power alone.
class FakeMeter final : public device::sysman::Power {
public:
  ze_result_t get_energy_counter(zes_power_energy_counter_t* energy) override {
    *energy = {424242, 1};
    return ZE_RESULT_SUCCESS;
  }
};
#endif

class FakeDevice final : public device::Device {
public:
#ifdef FAKE_METER
  ze_result_t zes_enum_power_domains(uint32_t* count, zes_pwr_handle_t* powers) override {
    static FakeMeter& meter = *new FakeMeter;
    if (powers != nullptr && *count > 0) powers[0] = to_handle(&meter);
    *count = 1;
    return ZE_RESULT_SUCCESS;
  }
#endif
  ze_result_t get_properties(ze_device_properties_t* properties) override {
    properties->type = FAKE_TYPE;
    std::strcpy(properties->name, FAKE_NAME);
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t get_status() override { return ZE_RESULT_SUCCESS; }
};

template <class Handle> ze_result_t list_one(uint32_t* count, Handle* handles, Handle only) {
  if (handles != nullptr && *count > 0) handles[0] = only;
  *count = 1;
  return ZE_RESULT_SUCCESS;
}

class FakeDriver final : public device::Driver {
public:
  ze_result_t get_properties(ze_driver_properties_t* properties) override {
    properties->driverVersion = 7;
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t get_last_error_description(const char** text) override {
    *text = last_error::text();
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t device_get(uint32_t* count, ze_device_handle_t* devices) override {
    return list_one(count, devices, to_handle(&device_));
  }
  ze_result_t zes_device_get(uint32_t* count, zes_device_handle_t* devices) override {
    return list_one(count, devices, reinterpret_cast<zes_device_handle_t>(to_handle(&device_)));
  }
  ze_result_t context_create(const ze_context_desc_t*, ze_context_handle_t* context) override {
    *context = to_handle(new FakeContext);
    return ZE_RESULT_SUCCESS;
  }
  ze_context_handle_t get_default_context() override {
    static FakeContext& context = *new FakeContext;
    return to_handle(&context);
  }

private:
  FakeDevice device_;
};

FakeDriver& driver() {
  static FakeDriver& only = *new FakeDriver;
  return only;
}

// The types that zeInit's and zeInitDrivers' flags ask for, as bits of both.
bool wanted(uint32_t flags) {
  constexpr uint32_t Mine = FAKE_TYPE == ZE_DEVICE_TYPE_GPU ? 1 : FAKE_TYPE == ZE_DEVICE_TYPE_VPU ? 2 : 0;
  return (flags & 3) == 3 || (flags & Mine) != 0;
}

class FakeEntry final : public device::Entry {
public:
  ze_result_t init(ze_init_flags_t flags) override {
    return flags == 0 || wanted(flags) ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNINITIALIZED;
  }
  ze_result_t driver_get(uint32_t* count, ze_driver_handle_t* drivers) override {
    return list_one(count, drivers, to_handle(&driver()));
  }
  ze_result_t init_drivers(uint32_t* count, ze_driver_handle_t* drivers, ze_init_driver_type_desc_t* desc) override {
    if (wanted(desc->flags)) return driver_get(count, drivers);
    *count = 0;
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t zes_init(zes_init_flags_t) override { return ZE_RESULT_SUCCESS; }
  ze_result_t zes_driver_get(uint32_t* count, zes_driver_handle_t* drivers) override {
    return list_one(count, drivers, reinterpret_cast<zes_driver_handle_t>(to_handle(&driver())));
  }
};

#ifdef FAKE_OLDER
// As a plugin that was built before graphs came: its containers are of another version than the core's.
[[gnu::constructor]] void become_older() {
  DispatchTables& tables = device::tables();
  tables.core_container.version = ZE_API_VERSION_1_16;
  tables.core_container.Graph = nullptr;
  tables.core_container.ExecutableGraph = nullptr;
}
#endif

} // namespace

zeroth::device::Entry& zeroth::device::entry() {
  static FakeEntry& only = *new FakeEntry;
  return only;
}

ZEROTH_PLUGIN_EXPORT const zeroth_plugin zeroth_plugin_descriptor = {ZEROTH_PLUGIN_ABI_VERSION,
                                                                     sizeof(zeroth_plugin),
                                                                     ZEROTH_PLUGIN_DEVICE,
                                                                     ZE_API_VERSION_CURRENT,
                                                                     FAKE_NAME,
                                                                     "1.0.0",
                                                                     "a device for tests",
                                                                     nullptr,
                                                                     0,
                                                                     0,
                                                                     nullptr,
                                                                     nullptr,
                                                                     nullptr,
                                                                     nullptr,
                                                                     nullptr};
