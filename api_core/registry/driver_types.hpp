// Which types of device programs ask for, and which a driver has.
#pragma once

#include <cstdint>

#include <level_zero/ze_api.h>

namespace zeroth::registry {

// A set of device types. Other holds CPUs and whatever else only a request for everything brings up.
using Types = std::uint32_t;
inline constexpr Types Gpu = 1;
inline constexpr Types Npu = 2;
inline constexpr Types Other = 4;
inline constexpr Types Everything = Gpu | Npu | Other;

// zeInit: no flag or every flag is everything.
constexpr Types types_of_init_flags(ze_init_flags_t flags) {
  constexpr ze_init_flags_t Both = ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY;
  if (flags == 0 || (flags & Both) == Both) return Everything;
  return (flags & ZE_INIT_FLAG_GPU_ONLY ? Gpu : 0) | (flags & ZE_INIT_FLAG_VPU_ONLY ? Npu : 0);
}

// zeInitDrivers: every flag that the API knows is everything; bits that it does not know ask for nothing that exists.
constexpr Types types_of_driver_flags(ze_init_driver_type_flags_t flags) {
  constexpr ze_init_driver_type_flags_t Both = ZE_INIT_DRIVER_TYPE_FLAG_GPU | ZE_INIT_DRIVER_TYPE_FLAG_NPU;
  if ((flags & Both) == Both) return Everything;
  return (flags & ZE_INIT_DRIVER_TYPE_FLAG_GPU ? Gpu : 0) | (flags & ZE_INIT_DRIVER_TYPE_FLAG_NPU ? Npu : 0);
}

} // namespace zeroth::registry
