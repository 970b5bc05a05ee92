#include "device.hpp"

#include "../commands/host_wait.hpp"
#include "../platform/topology.hpp"
#include "chain.hpp"
#include "counter_storage.hpp"
#include "listing.hpp"
#include "native_format.hpp"

#include <sdk/error.hpp>

#include <algorithm>
#include <cstring>

namespace zeroth::cpu {

namespace {

constexpr ze_device_fp_flags_t FloatFlags = ZE_DEVICE_FP_FLAG_DENORM | ZE_DEVICE_FP_FLAG_INF_NAN |
                                            ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST | ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO |
                                            ZE_DEVICE_FP_FLAG_ROUND_TO_INF | ZE_DEVICE_FP_FLAG_FMA;

void fill_float_atomics(ze_float_atomic_ext_properties_t& atomics) {
  constexpr ze_device_fp_atomic_ext_flags_t All =
      ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD |
      ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE |
      ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX;
  atomics.fp16Flags = atomics.fp32Flags = atomics.fp64Flags = All;
}

void copy_name(char (&to)[ZE_MAX_DEVICE_NAME], const char* from) {
  std::memset(to, 0, sizeof to);
  std::strncpy(to, from, sizeof to - 1);
}

} // namespace

void CpuDevice::check_queue(std::uint32_t ordinal, std::uint32_t index) const {
  if (ordinal >= QueueGroups || index >= QueuesPerGroup)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "queue group {} index {} does not exist", ordinal, index);
}

CpuDevice::CpuDevice(CpuDriver& driver, Executor& executor, CoreSet cores)
    : driver_(driver), root_(nullptr), number_(0), cores_(std::move(cores)), node_(-1), executor_(executor),
      in_order_flows_(executor), overlap_flows_(executor) {}

CpuDevice::CpuDevice(CpuDriver& driver, CpuDevice& root, std::uint32_t number, const CoreSet& cores, bool pin)
    : driver_(driver), root_(&root), number_(number), cores_(cores), node_(node_of(cores)),
      own_executor_(std::make_unique<Executor>(Executor::Options{.cores = cores, .pin = pin})),
      executor_(*own_executor_), in_order_flows_(executor_), overlap_flows_(executor_) {}

ze_result_t CpuDevice::get_root_device(ze_device_handle_t* root) {
  *root = root_ && driver_.hierarchy() != Hierarchy::Flat ? to_handle(root_) : nullptr;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::get_sub_devices(uint32_t* count, ze_device_handle_t* devices) {
  const auto& parts = driver_.sub_devices();
  hand_out(root_ ? 0u : static_cast<uint32_t>(parts.size()), count, devices,
           [&](auto& item, uint32_t i) { item = to_handle(parts[i].get()); });
  return ZE_RESULT_SUCCESS;
}

std::uint32_t CpuDevice::physical_cores() const {
  const QuickFacts& facts = driver_.facts();
  return root_ ? std::max<std::uint32_t>(static_cast<std::uint32_t>(cores_.size()) / facts.threads_per_core, 1)
               : facts.cores;
}

ze_result_t CpuDevice::get_properties(ze_device_properties_t* properties) {
  const QuickFacts& facts = driver_.facts();
  ze_device_properties_t& p = *properties;
  p.type = driver_.reported_type();
  p.vendorId = facts.vendor_id;
  p.deviceId = facts.device_id;
  p.flags = ZE_DEVICE_PROPERTY_FLAG_INTEGRATED | ZE_DEVICE_PROPERTY_FLAG_ONDEMANDPAGING;
  if (root_ && driver_.hierarchy() != Hierarchy::Flat) p.flags |= ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE;
  p.subdeviceId = number_;
  p.coreClockRate = facts.clock_mhz;
  p.maxMemAllocSize = facts.memory_bytes;
  p.maxHardwareContexts = 1024;
  p.maxCommandQueuePriority = 0;
  p.numThreadsPerEU = facts.threads_per_core;
  p.physicalEUSimdWidth = facts.simd_bits / 32;
  p.numEUsPerSubslice = root_ ? physical_cores() : facts.cores / facts.packages;
  p.numSubslicesPerSlice = 1;
  p.numSlices = root_ ? 1 : facts.packages;
  p.timerResolution = p.stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2 ? 1'000'000'000 : 1; // per second, or ns
  p.timestampValidBits = TimestampBits;
  p.kernelTimestampValidBits = TimestampBits;
  const auto uuid = stable_uuid(facts, 0, root_ ? number_ + 1 : 0);
  std::memcpy(p.uuid.id, uuid.data(), uuid.size());
  copy_name(p.name, facts.name.c_str());
  for_each_in_chain(p.pNext, [&](ze_structure_type_t stype, void* item) {
    switch (static_cast<int>(stype)) {
    case ZE_STRUCTURE_TYPE_EU_COUNT_EXT:
      static_cast<ze_eu_count_ext_t*>(item)->numTotalEUs = physical_cores();
      break;
    case ZE_STRUCTURE_TYPE_DEVICE_READONLY_MEMORY_EXT_PROPERTIES: // pages are protected: a write to them faults
      static_cast<ze_device_readonly_memory_ext_properties_t*>(item)->readonlyCapability =
          ZE_DEVICE_READONLY_MEMORY_CAPABILITY_ENFORCED;
      break;
    case ZE_STRUCTURE_TYPE_DEVICE_EVENT_PROPERTIES:
      static_cast<ze_device_event_properties_t*>(item)->flags = 0;
      break;
    case ZE_STRUCTURE_TYPE_DEVICE_USABLEMEM_SIZE_EXT_PROPERTIES:
      static_cast<ze_device_usablemem_size_ext_properties_t*>(item)->currUsableMemSize = available_memory();
      break;
    case ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT:
      static_cast<ze_device_ip_version_ext_t*>(item)->ipVersion = facts.device_id;
      break;
    default:
      break;
    }
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::get_compute_properties(ze_device_compute_properties_t* properties) {
  ze_device_compute_properties_t& p = *properties;
  p.maxTotalGroupSize = p.maxGroupSizeX = p.maxGroupSizeY = p.maxGroupSizeZ = MaxGroupSize;
  p.maxGroupCountX = p.maxGroupCountY = p.maxGroupCountZ = ~std::uint32_t{0};
  p.maxSharedLocalMemory = MaxLocalBytes;
  std::memset(p.subGroupSizes, 0, sizeof p.subGroupSizes);
  p.numSubGroupSizes = 0;
  for (std::uint32_t size : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) p.subGroupSizes[p.numSubGroupSizes++] = size;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::get_module_properties(ze_device_module_properties_t* properties) {
  ze_device_module_properties_t& p = *properties;
  p.spirvVersionSupported = ZE_MAKE_VERSION(1, 6);
  p.flags = ZE_DEVICE_MODULE_FLAG_FP16 | ZE_DEVICE_MODULE_FLAG_FP64 | ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
  p.fp16flags = FloatFlags;
  p.fp32flags = p.fp64flags = FloatFlags | ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT;
  p.maxArgumentsSize = 64u << 10;
  p.printfBufferSize = 1u << 20;
  std::memcpy(p.nativeKernelSupported.id, native_format_uuid().data(), native_format_uuid().size());
  for_each_in_chain(p.pNext, [](ze_structure_type_t stype, void* item) {
    if (stype == ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES)
      fill_float_atomics(*static_cast<ze_float_atomic_ext_properties_t*>(item));
    if (stype == ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_PROPERTIES) // groups run to their end, each on one thread
      static_cast<ze_scheduling_hint_exp_properties_t*>(item)->schedulingHintFlags =
          ZE_SCHEDULING_HINT_EXP_FLAG_OLDEST_FIRST;
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::get_command_queue_group_properties(uint32_t* count,
                                                          ze_command_queue_group_properties_t* properties) {
  // Fills take patterns of any size in both. Programs that try all sizes up to the one that a copy engine names expect
  // it to be of the size that such engines have.
  constexpr size_t UsualOfCopyEngines = 128;
  hand_out(QueueGroups, count, properties, [](ze_command_queue_group_properties_t& group, uint32_t ordinal) {
    group.flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
    if (ordinal == EverythingGroup)
      group.flags |=
          ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE | ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
    group.maxMemoryFillPatternSize = ordinal == EverythingGroup ? ~size_t{0} : UsualOfCopyEngines;
    group.numQueues = QueuesPerGroup;
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::get_memory_properties(uint32_t* count, ze_device_memory_properties_t* properties) {
  hand_out(1, count, properties, [this](ze_device_memory_properties_t& memory, uint32_t) {
    memory.flags = 0;
    memory.maxClockRate = 0;
    memory.maxBusWidth = 64;
    memory.totalSize = driver_.facts().memory_bytes;
    copy_name(memory.name, "System memory");
    for_each_in_chain(memory.pNext, [this](ze_structure_type_t stype, void* item) {
      if (stype != ZE_STRUCTURE_TYPE_DEVICE_MEMORY_EXT_PROPERTIES) return;
      auto& more = *static_cast<ze_device_memory_ext_properties_t*>(item);
      more.type = ZE_DEVICE_MEMORY_EXT_TYPE_DDR;
      more.physicalSize = driver_.facts().memory_bytes;
      more.readBandwidth = more.writeBandwidth = 0;
      more.bandwidthUnit = ZE_BANDWIDTH_UNIT_UNKNOWN;
    });
  });
  return ZE_RESULT_SUCCESS;
}

// Host and device share all memory, the program's own (malloc, stack, mapped files) included.
ze_result_t CpuDevice::get_memory_access_properties(ze_device_memory_access_properties_t* properties) {
  constexpr ze_memory_access_cap_flags_t All = ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC |
                                               ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT |
                                               ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;
  properties->hostAllocCapabilities = properties->deviceAllocCapabilities = All;
  properties->sharedSingleDeviceAllocCapabilities = properties->sharedCrossDeviceAllocCapabilities = All;
  properties->sharedSystemAllocCapabilities = All;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::get_cache_properties(uint32_t* count, ze_device_cache_properties_t* properties) {
  const auto& caches = topology().caches;
  hand_out(static_cast<uint32_t>(caches.size()), count, properties, [&](auto& item, uint32_t i) {
    item.flags = 0;
    item.cacheSize = caches[i].bytes;
    for_each_in_chain(item.pNext, [&](ze_structure_type_t stype, void* more) {
      if (stype == ZE_STRUCTURE_TYPE_DEVICE_CACHELINE_SIZE_EXT)
        static_cast<ze_device_cache_line_size_ext_t*>(more)->cacheLineSize = caches[i].line;
    });
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::get_external_memory_properties(ze_device_external_memory_properties_t* properties) {
  properties->memoryAllocationImportTypes = properties->memoryAllocationExportTypes =
      ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD | ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF;
  properties->imageImportTypes = properties->imageExportTypes = properties->memoryAllocationImportTypes;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::get_p2p_properties(ze_device_handle_t, ze_device_p2p_properties_t* properties) {
  properties->flags = ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::can_access_peer(ze_device_handle_t, ze_bool_t* value) {
  *value = true;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::get_global_timestamps(uint64_t* host, uint64_t* device) {
  *host = *device = now();
  return ZE_RESULT_SUCCESS;
}

void CpuDevice::drain() {
  in_order_flows_.drain();
  overlap_flows_.drain();
}

ze_result_t CpuDevice::synchronize() {
  drain();
  if (!root_)
    for (const auto& part : driver_.sub_devices()) part->drain();
  flush_printed();
  return ZE_RESULT_SUCCESS;
}

// However many threads copy: a command signals once.
ze_result_t CpuDevice::get_aggregated_copy_offload_increment_value(uint32_t* value) {
  *value = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::get_counter_based_event_max_value(uint64_t* value) {
  *value = SharedCounter::Largest;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::get_vector_width_properties_ext(uint32_t* count,
                                                       ze_device_vector_width_properties_ext_t* properties) {
  const std::uint32_t bytes = driver_.facts().simd_bits / 8;
  hand_out(1, count, properties, [bytes](ze_device_vector_width_properties_ext_t& p, uint32_t) {
    p.vector_width_size = bytes;
    // The compiler widens over work-items: scalar code is what it likes best.
    p.preferred_vector_width_char = p.preferred_vector_width_short = p.preferred_vector_width_int = 1;
    p.preferred_vector_width_long = p.preferred_vector_width_float = p.preferred_vector_width_double = 1;
    p.preferred_vector_width_half = 1;
    p.native_vector_width_char = bytes;
    p.native_vector_width_short = p.native_vector_width_half = bytes / 2;
    p.native_vector_width_int = p.native_vector_width_float = bytes / 4;
    p.native_vector_width_long = p.native_vector_width_double = bytes / 8;
  });
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::cpu
