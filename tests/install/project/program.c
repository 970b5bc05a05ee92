/* Prints the name of each device. */
#include <level_zero/ze_api.h>
#include <stdio.h>

int main(void) {
  ze_driver_handle_t drivers[8];
  uint32_t driver_count = 8;
  if (zeInit(0) != ZE_RESULT_SUCCESS || zeDriverGet(&driver_count, drivers) != ZE_RESULT_SUCCESS) return 1;
  for (uint32_t i = 0; i < driver_count; ++i) {
    ze_device_handle_t devices[8];
    uint32_t device_count = 8;
    if (zeDeviceGet(drivers[i], &device_count, devices) != ZE_RESULT_SUCCESS) return 1;
    for (uint32_t j = 0; j < device_count; ++j) {
      ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
      if (zeDeviceGetProperties(devices[j], &properties) != ZE_RESULT_SUCCESS) return 1;
      printf("%s\n", properties.name);
    }
  }
  return 0;
}
