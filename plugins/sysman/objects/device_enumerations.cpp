// Enumerations: the parts of a device, always the same handles in the same order.
#include "../parts/listing.hpp"
#include "device.hpp"

namespace zeroth::sysman {
namespace {

template <class Handle, class P> ze_result_t list(const Parts::List<P>& parts, uint32_t* count, Handle* handles) {
  hand_out(parts.size(), count, handles, [&](Handle& item, uint32_t i) { item = to_handle(parts[i].get()); });
  return ZE_RESULT_SUCCESS;
}

ze_result_t none(uint32_t* count) {
  *count = 0;
  return ZE_RESULT_SUCCESS;
}

} // namespace

ze_result_t DevicePart::zes_get_card_power_domain(zes_pwr_handle_t* power) {
  for (const auto& domain : parts().powers)
    if (domain->source().domain == ZES_POWER_DOMAIN_CARD) return *power = to_handle(domain.get()), ZE_RESULT_SUCCESS;
  throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "no meter for the power of the whole card");
}

ze_result_t DevicePart::zes_enum_power_domains(uint32_t* count, zes_pwr_handle_t* handles) {
  return list(parts().powers, count, handles);
}
ze_result_t DevicePart::zes_enum_frequency_domains(uint32_t* count, zes_freq_handle_t* handles) {
  return list(parts().frequencies, count, handles);
}
ze_result_t DevicePart::zes_enum_temperature_sensors(uint32_t* count, zes_temp_handle_t* handles) {
  return list(parts().temperatures, count, handles);
}
ze_result_t DevicePart::zes_enum_engine_groups(uint32_t* count, zes_engine_handle_t* handles) {
  return list(parts().engines, count, handles);
}
ze_result_t DevicePart::zes_enum_memory_modules(uint32_t* count, zes_mem_handle_t* handles) {
  return list(parts().memories, count, handles);
}
ze_result_t DevicePart::zes_enum_fans(uint32_t* count, zes_fan_handle_t* handles) {
  return list(parts().fans, count, handles);
}
ze_result_t DevicePart::zes_enum_ras_error_sets(uint32_t* count, zes_ras_handle_t* handles) {
  return list(parts().ras, count, handles);
}
ze_result_t DevicePart::zes_enum_psus(uint32_t* count, zes_psu_handle_t* handles) {
  return list(parts().power_supplies, count, handles);
}
ze_result_t DevicePart::zes_enum_leds(uint32_t* count, zes_led_handle_t* handles) {
  return list(parts().leds, count, handles);
}
ze_result_t DevicePart::zes_enum_firmwares(uint32_t* count, zes_firmware_handle_t* handles) {
  return list(parts().firmwares, count, handles);
}
ze_result_t DevicePart::zes_enum_performance_factor_domains(uint32_t* count, zes_perf_handle_t* handles) {
  return list(parts().performance, count, handles);
}
ze_result_t DevicePart::zes_enum_standby_domains(uint32_t* count, zes_standby_handle_t* handles) {
  return list(parts().standby, count, handles);
}
ze_result_t DevicePart::zes_enum_schedulers(uint32_t* count, zes_sched_handle_t* handles) {
  return list(parts().schedulers, count, handles);
}

ze_result_t DevicePart::zes_enum_diagnostic_test_suites(uint32_t* count, zes_diag_handle_t*) { return none(count); }
ze_result_t DevicePart::zes_enum_overclock_domains(uint32_t* count, zes_overclock_handle_t*) { return none(count); }
ze_result_t DevicePart::zes_enum_fabric_ports(uint32_t* count, zes_fabric_port_handle_t*) { return none(count); }
ze_result_t DevicePart::zes_enum_active_vf_exp(uint32_t* count, zes_vf_handle_t*) { return none(count); }
ze_result_t DevicePart::zes_enum_enabled_vf_exp(uint32_t* count, zes_vf_handle_t*) { return none(count); }

} // namespace zeroth::sysman
