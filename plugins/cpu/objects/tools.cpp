// What tools are told: nobody attaches to the device, since its kernels are functions of the program's own process, and
// it has no metrics beyond those that the system's own tools show.
#include "context.hpp"
#include "device.hpp"
#include "module.hpp"

#include <sdk/error.hpp>

namespace zeroth::cpu {

ze_result_t CpuDevice::zet_get_debug_properties(zet_device_debug_properties_t* properties) {
  properties->flags = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::zet_metric_group_get(uint32_t* count, zet_metric_group_handle_t*) {
  *count = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::zet_metric_programmable_get_exp(uint32_t* count, zet_metric_programmable_exp_handle_t*) {
  *count = 0;
  return ZE_RESULT_SUCCESS;
}

// None can be active, so deactivating all is done.
ze_result_t CpuContext::zet_activate_metric_groups(zet_device_handle_t, uint32_t count, zet_metric_group_handle_t*) {
  if (count) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the device has no metric groups"));
  return ZE_RESULT_SUCCESS;
}

// The native binary is a shared object with symbols and, where the module has them, lines.
ze_result_t CpuModule::zet_get_debug_info(zet_module_debug_info_format_t format, size_t* size, uint8_t* info) {
  if (format != ZET_MODULE_DEBUG_INFO_FORMAT_ELF_DWARF)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, "debug information of format {}", static_cast<int>(format));
  return get_native_binary(size, info);
}

} // namespace zeroth::cpu
