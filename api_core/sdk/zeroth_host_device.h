/* An interface that device plugins offer when their devices are the processors of this machine, whatever type the
 * configuration makes them report. Overlays ask for it by name (zeroth_overlay_target::find_interface): what is known
 * about the host is then known about the device. */
#ifndef ZEROTH_HOST_DEVICE_H
#define ZEROTH_HOST_DEVICE_H

#include <stdint.h>

#define ZEROTH_HOST_DEVICE "host_device"
#define ZEROTH_HOST_DEVICE_VERSION 1u

typedef struct zeroth_host_device {
  uint32_t struct_size;
} zeroth_host_device;

#endif
