/* An interface of overlays that know devices which no driver serves, such as the GPUs that the kernel lists. The core
 * asks for it by name and shows what it lists at the end of zesDriverGet, to programs that initialised sysman alone:
 * those that use core see the same drivers in both.
 *
 * Handles must be complete objects of the core's API version: their prefix leads to tables without a null slot. */
#ifndef ZEROTH_SYSMAN_DRIVERS_H
#define ZEROTH_SYSMAN_DRIVERS_H

#include <stdint.h>

#include <level_zero/zes_api.h>

#define ZEROTH_SYSMAN_DRIVERS "sysman_drivers"
#define ZEROTH_SYSMAN_DRIVERS_VERSION 1u

typedef struct zeroth_sysman_drivers {
  uint32_t struct_size;
  /* The drivers beside the `served` ones, with the counting protocol of enumerations. Any thread; the same handles each
   * time. */
  ze_result_t (*list)(uint32_t served_count, const zes_driver_handle_t* served, uint32_t* count,
                      zes_driver_handle_t* drivers);
} zeroth_sysman_drivers;

#endif
