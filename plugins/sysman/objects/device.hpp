// Our view of one device of a driver. Its handle is not given out: programs hold the driver's own, which is the same in
// core and sysman; Site finds this object by it. Only GPUs that no driver serves are known by the handle of this
// object.
//
// What the machine tells about the device is looked up once, by the first call that needs it. Any thread.
#pragma once

#include "../overlay/choice.hpp"
#include "../sources/place.hpp"
#include "engine.hpp"
#include "fan.hpp"
#include "frequency.hpp"
#include "link_health.hpp"
#include "memory.hpp"
#include "power.hpp"
#include "ras.hpp"
#include "small_parts.hpp"
#include "temperature.hpp"

#include <zeroth/device/device.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace zeroth::sysman {

class Backing;

// The parts of a device, in the order of their enumeration.
struct Parts {
  template <class T> using List = std::vector<std::unique_ptr<T>>;
  Found found;
  List<PowerDomain> powers;
  List<FrequencyDomain> frequencies;
  List<TemperatureSensor> temperatures;
  List<EngineGroup> engines;
  List<MemoryModule> memories;
  List<FanPart> fans;
  List<RasSet> ras;
  List<PowerSupply> power_supplies;
  List<Light> leds;
  List<FirmwarePart> firmwares;
  List<PerformanceDomain> performance;
  List<StandbyDomain> standby;
  List<SchedulerPart> schedulers;
  std::unique_ptr<LinkHealth> link; // null for a device that is on no PCI bus

  std::vector<Watched*> watched() const;
};

class DevicePart final : public device::Device, public Watched {
public:
  // A null handle makes an object whose own handle is given out.
  DevicePart(Backing& backing, zes_device_handle_t handle)
      : backing_(backing), handle_(handle ? handle : to_handle(static_cast<device::Device*>(this))) {}

  Choices& choices() { return choices_; }
  zes_device_handle_t handle() const { return handle_; }
  const Parts& parts();
  const Place& place();
  // As core reports them.
  ze_device_properties_t core_properties() const;

  // For handles of our own.
  ze_result_t get_properties(ze_device_properties_t* properties) override;

  void register_events(zes_event_type_flags_t events) { registered_.store(events); }
  zes_event_type_flags_t registered() const { return registered_.load(); }
  // Those of the registered events that happened since the last question.
  zes_event_type_flags_t happened(zes_event_type_flags_t wanted) noexcept override;

  ze_result_t zes_get_properties(zes_device_properties_t* properties) override;
  ze_result_t zes_get_state(zes_device_state_t* state) override;
  ze_result_t zes_processes_get_state(uint32_t* count, zes_process_state_t* processes) override;
  ze_result_t zes_get_sub_device_properties_exp(uint32_t* count, zes_subdevice_exp_properties_t* properties) override;
  ze_result_t zes_event_register(zes_event_type_flags_t events) override;

  ze_result_t zes_pci_get_properties(zes_pci_properties_t* properties) override;
  ze_result_t zes_pci_get_state(zes_pci_state_t* state) override;
  ze_result_t zes_pci_get_bars(uint32_t* count, zes_pci_bar_properties_t* bars) override;
  ze_result_t zes_pci_get_stats(zes_pci_stats_t* stats) override;

  ze_result_t zes_ecc_available(ze_bool_t* available) override;
  ze_result_t zes_ecc_configurable(ze_bool_t* configurable) override;
  ze_result_t zes_get_ecc_state(zes_device_ecc_properties_t* state) override;

  ze_result_t zes_get_card_power_domain(zes_pwr_handle_t* power) override;
  ze_result_t zes_enum_power_domains(uint32_t* count, zes_pwr_handle_t* handles) override;
  ze_result_t zes_enum_frequency_domains(uint32_t* count, zes_freq_handle_t* handles) override;
  ze_result_t zes_enum_temperature_sensors(uint32_t* count, zes_temp_handle_t* handles) override;
  ze_result_t zes_enum_engine_groups(uint32_t* count, zes_engine_handle_t* handles) override;
  ze_result_t zes_enum_memory_modules(uint32_t* count, zes_mem_handle_t* handles) override;
  ze_result_t zes_enum_fans(uint32_t* count, zes_fan_handle_t* handles) override;
  ze_result_t zes_enum_ras_error_sets(uint32_t* count, zes_ras_handle_t* handles) override;
  ze_result_t zes_enum_psus(uint32_t* count, zes_psu_handle_t* handles) override;
  ze_result_t zes_enum_leds(uint32_t* count, zes_led_handle_t* handles) override;
  ze_result_t zes_enum_firmwares(uint32_t* count, zes_firmware_handle_t* handles) override;
  ze_result_t zes_enum_performance_factor_domains(uint32_t* count, zes_perf_handle_t* handles) override;
  ze_result_t zes_enum_standby_domains(uint32_t* count, zes_standby_handle_t* handles) override;
  ze_result_t zes_enum_schedulers(uint32_t* count, zes_sched_handle_t* handles) override;
  // There are none of these; the reasons stand in the plugin's README.
  ze_result_t zes_enum_diagnostic_test_suites(uint32_t* count, zes_diag_handle_t* handles) override;
  ze_result_t zes_enum_overclock_domains(uint32_t* count, zes_overclock_handle_t* handles) override;
  ze_result_t zes_enum_fabric_ports(uint32_t* count, zes_fabric_port_handle_t* handles) override;
  ze_result_t zes_enum_active_vf_exp(uint32_t* count, zes_vf_handle_t* handles) override;
  ze_result_t zes_enum_enabled_vf_exp(uint32_t* count, zes_vf_handle_t* handles) override;

private:
  const PciSource& pci();
  std::vector<ze_device_handle_t> sub_devices() const;
  zes_event_type_flags_t own_events(zes_event_type_flags_t wanted);
  void must_be_present();

  Backing& backing_;
  const zes_device_handle_t handle_;
  Choices choices_;
  std::once_flag placed_, looked_;
  Place place_;
  std::unique_ptr<Parts> parts_;
  std::atomic<zes_event_type_flags_t> registered_{0};
  std::mutex events_; // guards what follows
  std::optional<bool> was_present_, was_asleep_, was_wedged_, was_surviving_;
};

} // namespace zeroth::sysman
