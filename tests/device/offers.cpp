#include "offers.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <level_zero/zet_api.h>
#include <nlohmann/json.hpp>

namespace device_tests {

namespace {

const Device& the() { return Device::get(); }

template <class T, class Get> T ask(ze_structure_type_t stype, Get get, void* next = nullptr) {
  T properties{};
  properties.stype = stype;
  properties.pNext = next;
  EXPECT_OK(get(the().device, &properties));
  return properties;
}

template <class T, class Get> std::vector<T> ask_all(ze_structure_type_t stype, Get get) {
  std::uint32_t count = 0;
  EXPECT_OK(get(the().device, &count, nullptr));
  std::vector<T> all(count);
  for (T& one : all) one.stype = stype;
  EXPECT_OK(get(the().device, &count, all.data()));
  return all;
}

bool queue_group_of(ze_command_queue_group_property_flags_t with, ze_command_queue_group_property_flags_t without) {
  const auto groups = ask_all<ze_command_queue_group_properties_t>(ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES,
                                                                   zeDeviceGetCommandQueueGroupProperties);
  return std::any_of(groups.begin(), groups.end(),
                     [=](const auto& group) { return (group.flags & with) == with && !(group.flags & without); });
}

bool module_flag(ze_device_module_flags_t flag) {
  return ask<ze_device_module_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES, zeDeviceGetModuleProperties)
             .flags &
         flag;
}

ze_float_atomic_ext_properties_t float_atomics() {
  ze_float_atomic_ext_properties_t atomics{};
  atomics.stype = ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES;
  ask<ze_device_module_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES, zeDeviceGetModuleProperties, &atomics);
  return atomics;
}

constexpr ze_device_fp_atomic_ext_flags_t Add =
    ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD;
constexpr ze_device_fp_atomic_ext_flags_t Minimum =
    ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX;

bool has_sub_groups_of(std::uint32_t size) {
  const auto p =
      ask<ze_device_compute_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES, zeDeviceGetComputeProperties);
  return std::count(p.subGroupSizes, p.subGroupSizes + p.numSubGroupSizes, size) == 1;
}

bool has_images() {
  return ask<ze_device_image_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES, zeDeviceGetImageProperties)
             .maxImageDims2D > 0;
}

bool shares_the_programs_memory() {
  return ask<ze_device_memory_access_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES,
                                                   zeDeviceGetMemoryAccessProperties)
             .sharedSystemAllocCapabilities &
         ZE_MEMORY_ACCESS_CAP_FLAG_RW;
}

bool shares_with_processes(ze_ipc_property_flags_t flag) {
  ze_driver_ipc_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DRIVER_IPC_PROPERTIES;
  EXPECT_OK(zeDriverGetIpcProperties(the().driver, &properties));
  return properties.flags & flag;
}

ze_device_external_memory_properties_t external_memory() {
  return ask<ze_device_external_memory_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES,
                                                     zeDeviceGetExternalMemoryProperties);
}

constexpr auto ByDescriptor = ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD;

bool debuggers_may_attach() {
  zet_device_debug_properties_t properties{};
  properties.stype = ZET_STRUCTURE_TYPE_DEVICE_DEBUG_PROPERTIES;
  EXPECT_OK(zetDeviceGetDebugProperties(the().device, &properties));
  return properties.flags & ZET_DEVICE_DEBUG_PROPERTY_FLAG_ATTACH;
}

bool has_metrics() {
  std::uint32_t count = 0;
  EXPECT_OK(zetMetricGroupGet(the().device, &count, nullptr));
  return count > 0;
}

bool has_fabric() {
  std::uint32_t count = 0;
  EXPECT_OK(zeFabricVertexGetExp(the().driver, &count, nullptr));
  return count > 0;
}

std::string type_of_device() {
  const auto p = ask<ze_device_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES, zeDeviceGetProperties);
  return p.type == ZE_DEVICE_TYPE_CPU ? "cpu" : p.type == ZE_DEVICE_TYPE_GPU ? "gpu" : "other";
}

nlohmann::json read_list() {
  const char* file = std::getenv("DEVICE_TEST_OFFERS");
  return nlohmann::json::parse(std::ifstream(file ? file : DEVICE_TEST_OFFERS));
}

Listed read_entry() {
  Listed entry;
  const nlohmann::json list = read_list();
  for (const auto& [name, device] : list.items()) {
    if (device.at("type") != type_of_device()) continue;
    entry.device = name;
    entry.offers = device.at("offers");
    entry.extensions = device.at("extensions");
    entry.lacks = device.at("lacks");
    for (const auto& skip : device.at("skips")) entry.skips.push_back({skip["tests"], skip["when"], skip["why"]});
  }
  return entry;
}

bool is_sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;
#endif
}

std::string lacking_now; // why the running test may be skipped

// Fails each test that was skipped for no reason on the list.
class SkipsAreListed final : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override { lacking_now.clear(); }
  void OnTestEnd(const testing::TestInfo& test) override {
    if (!test.result()->Skipped() || !lacking_now.empty()) return;
    const std::string name = std::string(test.test_suite_name()) + '.' + test.name();
    for (const Listed::Skip& skip : listed().skips)
      if (name.starts_with(skip.tests) && skip.when == "sanitized" && is_sanitized()) return;
    ADD_FAILURE() << name << " was skipped, and offers.json does not say that it may be";
  }
};

// The list's owner is the program: tests begin after it was made.
const bool listening = (testing::UnitTest::GetInstance()->listeners().Append(new SkipsAreListed), true);

} // namespace

const std::map<std::string, std::function<bool()>>& all_offers() {
  constexpr auto Compute = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE,
                 Copy = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY,
                 Cooperative = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
  static const auto& all = *new std::map<std::string, std::function<bool()>>{
      {"a queue group that computes and copies", [] { return queue_group_of(Compute | Copy, 0); }},
      {"a queue group that only copies", [] { return queue_group_of(Copy, Compute); }},
      {"cooperative kernels", [] { return queue_group_of(Compute | Cooperative, 0); }},
      {"fp16", [] { return module_flag(ZE_DEVICE_MODULE_FLAG_FP16); }},
      {"fp64", [] { return module_flag(ZE_DEVICE_MODULE_FLAG_FP64); }},
      {"64-bit atomics", [] { return module_flag(ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS); }},
      {"atomic add of halfs", [] { return (float_atomics().fp16Flags & Add) == Add; }},
      {"atomic add of floats", [] { return (float_atomics().fp32Flags & Add) == Add; }},
      {"atomic add of doubles", [] { return (float_atomics().fp64Flags & Add) == Add; }},
      {"atomic minimum of halfs", [] { return (float_atomics().fp16Flags & Minimum) == Minimum; }},
      {"atomic minimum of floats", [] { return (float_atomics().fp32Flags & Minimum) == Minimum; }},
      {"atomic minimum of doubles", [] { return (float_atomics().fp64Flags & Minimum) == Minimum; }},
      {"sub-groups of 32", [] { return has_sub_groups_of(32); }},
      {"images", has_images},
      {"the program's own memory", shares_the_programs_memory},
      {"memory in other processes", [] { return shares_with_processes(ZE_IPC_PROPERTY_FLAG_MEMORY); }},
      {"events in other processes", [] { return shares_with_processes(ZE_IPC_PROPERTY_FLAG_EVENT_POOL); }},
      {"memory as a descriptor",
       [] {
         const auto p = external_memory();
         return (p.memoryAllocationImportTypes & p.memoryAllocationExportTypes & ByDescriptor) != 0;
       }},
      {"images as a descriptor",
       [] {
         const auto p = external_memory();
         return (p.imageImportTypes & p.imageExportTypes & ByDescriptor) != 0;
       }},
      {"attaching of debuggers", debuggers_may_attach},
      {"metrics", has_metrics},
      {"a fabric", has_fabric},
  };
  return all;
}

bool offers(const std::string& offer) {
  return offer.starts_with("ZE_") ? offers_extension(offer) : all_offers().at(offer)();
}

const Listed& listed() {
  static const auto& entry = *new Listed(read_entry());
  return entry;
}

std::string why_lacking(const std::string& offer) {
  const auto found = listed().lacks.find(offer);
  lacking_now = found == listed().lacks.end() ? "" : found->second;
  return lacking_now;
}

} // namespace device_tests
