#include "cli/device_report.hpp"

#include <fmt/format.h>
#include <zeroth/api/printers.hpp>

#include <algorithm>
#include <string_view>

namespace zeroth::cli {
namespace {

// Runs one property query; nothing when the driver refuses it.
template <class T, class Query> std::optional<T> ask(ze_structure_type_t type, Query query) {
  T value{};
  value.stype = type;
  return query(&value) == ZE_RESULT_SUCCESS ? std::optional<T>(value) : std::nullopt;
}

// The bits of `flags` in words, without the prefix that all enumerators of the type share.
template <class Flag> Json flag_names(uint32_t flags, std::string_view prefix) {
  Json names = Json::array();
  for (uint32_t bit = 1; bit; bit <<= 1) {
    if (!(flags & bit)) continue;
    std::string name = to_string(static_cast<Flag>(bit));
    if (name.starts_with(prefix)) name.erase(0, prefix.size());
    std::transform(name.begin(), name.end(), name.begin(), [](char c) { return c == '_' ? ' ' : std::tolower(c); });
    names.push_back(name);
  }
  return names;
}

const char* type_text(ze_device_type_t type) {
  switch (type) {
  case ZE_DEVICE_TYPE_GPU:
    return "gpu";
  case ZE_DEVICE_TYPE_CPU:
    return "cpu";
  case ZE_DEVICE_TYPE_FPGA:
    return "fpga";
  case ZE_DEVICE_TYPE_VPU:
    return "npu";
  default:
    return "other";
  }
}

Json identity(ze_device_handle_t device) {
  const auto p = ask<ze_device_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
                                             [&](auto* v) { return zeDeviceGetProperties(device, v); });
  if (!p) return Json::object();
  const uint64_t units = uint64_t(p->numSlices) * p->numSubslicesPerSlice * p->numEUsPerSubslice;
  return {{"name", std::string(p->name)},
          {"type", type_text(p->type)},
          {"uuid", uuid_text(p->uuid.id)},
          {"vendor id", fmt::format("0x{:04x}", p->vendorId)},
          {"device id", fmt::format("0x{:04x}", p->deviceId)},
          {"execution units", units},
          {"threads per unit", p->numThreadsPerEU},
          {"simd width", p->physicalEUSimdWidth},
          {"clock MHz", p->coreClockRate},
          {"largest allocation", bytes_text(p->maxMemAllocSize)},
          {"hardware contexts", p->maxHardwareContexts},
          {"command queue priorities", p->maxCommandQueuePriority},
          {"timer resolution", p->timerResolution},
          {"timestamp bits", p->timestampValidBits},
          {"flags", flag_names<ze_device_property_flag_t>(p->flags, "ZE_DEVICE_PROPERTY_FLAG_")}};
}

Json compute(ze_device_handle_t device) {
  const auto p = ask<ze_device_compute_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES,
                                                     [&](auto* v) { return zeDeviceGetComputeProperties(device, v); });
  if (!p) return nullptr;
  return {{"largest group", p->maxTotalGroupSize},
          {"group size limits", {p->maxGroupSizeX, p->maxGroupSizeY, p->maxGroupSizeZ}},
          {"group count limits", {p->maxGroupCountX, p->maxGroupCountY, p->maxGroupCountZ}},
          {"local memory", bytes_text(p->maxSharedLocalMemory)},
          {"sub-group sizes", std::vector<uint32_t>(p->subGroupSizes, p->subGroupSizes + p->numSubGroupSizes)}};
}

Json modules(ze_device_handle_t device) {
  const auto p = ask<ze_device_module_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES,
                                                    [&](auto* v) { return zeDeviceGetModuleProperties(device, v); });
  if (!p) return nullptr;
  const auto precision = [](uint32_t flags) { return flag_names<ze_device_fp_flag_t>(flags, "ZE_DEVICE_FP_FLAG_"); };
  return {{"SPIR-V", version_text(p->spirvVersionSupported)},
          {"features", flag_names<ze_device_module_flag_t>(p->flags, "ZE_DEVICE_MODULE_FLAG_")},
          {"half", precision(p->fp16flags)},
          {"float", precision(p->fp32flags)},
          {"double", precision(p->fp64flags)},
          {"largest argument block", p->maxArgumentsSize},
          {"printf buffer", bytes_text(p->printfBufferSize)},
          {"native binary", uuid_text(p->nativeKernelSupported.id)}};
}

Json memories(ze_device_handle_t device) {
  ze_device_memory_properties_t initial{};
  initial.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES;
  Json list = Json::array();
  const auto query = [&](uint32_t* n, auto* items) { return zeDeviceGetMemoryProperties(device, n, items); };
  for (const auto& p : ask_list<ze_device_memory_properties_t>(query, "zeDeviceGetMemoryProperties", initial))
    list.push_back({{"name", std::string(p.name)},
                    {"size", bytes_text(p.totalSize)},
                    {"bytes", p.totalSize},
                    {"clock MHz", p.maxClockRate},
                    {"bus width", p.maxBusWidth}});
  return list;
}

Json access(ze_device_handle_t device) {
  const auto p =
      ask<ze_device_memory_access_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES,
                                                [&](auto* v) { return zeDeviceGetMemoryAccessProperties(device, v); });
  if (!p) return nullptr;
  const auto words = [](uint32_t f) {
    return flag_names<ze_memory_access_cap_flag_t>(f, "ZE_MEMORY_ACCESS_CAP_FLAG_");
  };
  return {{"host", words(p->hostAllocCapabilities)},
          {"device", words(p->deviceAllocCapabilities)},
          {"shared, one device", words(p->sharedSingleDeviceAllocCapabilities)},
          {"shared, cross device", words(p->sharedCrossDeviceAllocCapabilities)},
          {"shared, system", words(p->sharedSystemAllocCapabilities)}};
}

Json caches(ze_device_handle_t device) {
  ze_device_cache_properties_t initial{};
  initial.stype = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES;
  Json sizes = Json::array();
  const auto query = [&](uint32_t* n, auto* items) { return zeDeviceGetCacheProperties(device, n, items); };
  for (const auto& p : ask_list<ze_device_cache_properties_t>(query, "zeDeviceGetCacheProperties", initial))
    sizes.push_back(bytes_text(p.cacheSize));
  return sizes;
}

Json queues(ze_device_handle_t device) {
  ze_command_queue_group_properties_t initial{};
  initial.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
  Json list = Json::array();
  const auto query = [&](uint32_t* n, auto* items) { return zeDeviceGetCommandQueueGroupProperties(device, n, items); };
  using Properties = ze_command_queue_group_properties_t;
  for (const auto& p : ask_list<Properties>(query, "zeDeviceGetCommandQueueGroupProperties", initial))
    list.push_back({{"queues", p.numQueues},
                    {"largest fill pattern", p.maxMemoryFillPatternSize},
                    {"kinds", flag_names<ze_command_queue_group_property_flag_t>(
                                  p.flags, "ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_")}});
  return list;
}

// A part that cannot be had is left out, whatever the reason.
template <class Part> void add(Json& report, const char* name, Part part) try {
  Json value = part();
  if (!value.is_null()) report[name] = std::move(value);
} catch (const Failure&) {
}

Json extensions(ze_driver_handle_t driver) {
  Json names = Json::object();
  const auto query = [&](uint32_t* n, auto* items) { return zeDriverGetExtensionProperties(driver, n, items); };
  for (const auto& p : ask_list<ze_driver_extension_properties_t>(query, "zeDriverGetExtensionProperties"))
    names[p.name] = version_text(p.version);
  return names;
}

} // namespace

Json device_summary(ze_device_handle_t device) {
  const Json all = device_report(device);
  Json few = Json::object();
  for (const char* name : {"name", "type", "uuid", "execution units", "clock MHz"})
    if (all.contains(name)) few[name] = all[name];
  for (const char* name : {"caches"})
    if (all.contains(name)) few[name] = all[name];
  if (all.contains("memory") && !all["memory"].empty()) few["memory"] = all["memory"][0]["size"];
  if (all.contains("compute")) few["largest group"] = all["compute"]["largest group"];
  if (all.contains("modules")) few["SPIR-V"] = all["modules"]["SPIR-V"];
  if (all.contains("modules")) few["features"] = all["modules"]["features"];
  return few;
}

Json device_report(ze_device_handle_t device) {
  Json report = identity(device);
  add(report, "caches", [&] { return caches(device); });
  add(report, "compute", [&] { return compute(device); });
  add(report, "modules", [&] { return modules(device); });
  add(report, "memory", [&] { return memories(device); });
  add(report, "memory access", [&] { return access(device); });
  add(report, "queue group", [&] { return queues(device); });
  return report;
}

Json driver_report(ze_driver_handle_t driver) {
  Json report = Json::object();
  ze_api_version_t api{};
  if (zeDriverGetApiVersion(driver, &api) == ZE_RESULT_SUCCESS) report["api"] = version_text(api);
  const auto p = ask<ze_driver_properties_t>(ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES,
                                             [&](auto* v) { return zeDriverGetProperties(driver, v); });
  if (p) report["driver version"] = fmt::format("0x{:08x}", p->driverVersion);
  if (p) report["uuid"] = uuid_text(p->uuid.id);
  add(report, "extensions", [&] { return extensions(driver); });
  return report;
}

} // namespace zeroth::cli
