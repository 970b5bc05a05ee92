#include "cli/findings.hpp"

#include "cli/level_zero.hpp"

#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <zeroth/api/printers.hpp>

// The probe kernel's SPIR-V, made from probe.cl by the build.
extern "C" const unsigned char zeroth_probe_spirv[];
extern "C" const unsigned int zeroth_probe_spirv_size;

namespace zeroth::cli {
namespace {

// It serves, but takes no kernels, as some devices do not.
struct NoKernels : Failure {
  using Failure::Failure;
};

void check_takes_kernels(ze_result_t result) {
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) throw NoKernels("it takes no kernels, and says so");
}

// Which of these variables are set, as advice; "" where none is.
std::string unset_advice(std::initializer_list<const char*> names) {
  std::string advice;
  for (const char* name : names)
    if (const char* value = std::getenv(name); value && *value)
      advice += fmt::format("{} {} (it is `{}`)", advice.empty() ? "unset" : " and", name, value);
  return advice;
}

// Builds the probe kernel, runs it, and reads what it wrote.
void run_probe(ze_driver_handle_t driver, ze_device_handle_t device) {
  const ze_context_desc_t context_desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ze_context_handle_t context = nullptr;
  const ze_result_t made = zeContextCreate(driver, &context_desc, &context);
  check_takes_kernels(made);
  check(made, "zeContextCreate");
  const Context owned_context(context);

  ze_module_desc_t module_desc{};
  module_desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  module_desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  module_desc.inputSize = zeroth_probe_spirv_size;
  module_desc.pInputModule = zeroth_probe_spirv;
  ze_module_handle_t module = nullptr;
  ze_module_build_log_handle_t log = nullptr;
  const ze_result_t built = zeModuleCreate(context, device, &module_desc, &module, &log);
  const BuildLog owned_log(log);
  check_takes_kernels(built);
  if (built != ZE_RESULT_SUCCESS) throw Failure(fmt::format("{}: {}", result_name(built), build_log_text(log)));
  const Module owned_module(module);

  const ze_kernel_desc_t kernel_desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "probe"};
  ze_kernel_handle_t kernel = nullptr;
  const ze_result_t created = zeKernelCreate(module, &kernel_desc, &kernel);
  check_takes_kernels(created);
  check(created, "zeKernelCreate");
  const Kernel owned_kernel(kernel);

  const ze_host_mem_alloc_desc_t memory_desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  void* memory = nullptr;
  ZEROTH_CHECK(zeMemAllocHost(context, &memory_desc, sizeof(uint32_t), 64, &memory));
  const std::shared_ptr<void> owned_memory(memory, [context](void* p) { zeMemFree(context, p); });
  auto* const answer = static_cast<volatile uint32_t*>(memory);
  *answer = 0;
  ZEROTH_CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof memory, &memory));
  ZEROTH_CHECK(zeKernelSetGroupSize(kernel, 1, 1, 1));

  ze_command_queue_desc_t queue_desc{};
  queue_desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  queue_desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  ze_command_list_handle_t list = nullptr;
  ZEROTH_CHECK(zeCommandListCreateImmediate(context, device, &queue_desc, &list));
  const CommandList owned_list(list);
  const ze_group_count_t one{1, 1, 1};
  ZEROTH_CHECK(zeCommandListAppendLaunchKernel(list, kernel, &one, nullptr, 0, nullptr));
  if (*answer != 42) throw Failure(fmt::format("the probe kernel wrote {} instead of 42", uint32_t(*answer)));
}

Finding examine_device(ze_driver_handle_t driver, ze_device_handle_t device, const std::string& number) {
  Finding finding{Finding::Level::Good, "devices", number, "", ""};
  try {
    ze_device_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    ZEROTH_CHECK(zeDeviceGetProperties(device, &properties));
    finding.subject = fmt::format("{} {}", number, properties.name);
    const auto start = std::chrono::steady_clock::now();
    run_probe(driver, device);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    finding.text = fmt::format("a kernel was built and run in {:.1f} ms", taken.count());
  } catch (const NoKernels& words) {
    finding.level = Finding::Level::Note;
    finding.text = words.what();
  } catch (const std::exception& error) {
    finding.level = Finding::Level::Problem;
    finding.text = fmt::format("no kernel runs: {}", error.what());
    finding.advice = unset_advice({"ZEROTH_CPU", "ZEROTH_KERNELC", "ZEROTH_KERNELC_LIBRARY"});
    if (finding.advice.empty()) finding.advice = "see the log with ZEROTH_LOG=debug";
  }
  return finding;
}

Finding no_device(size_t drivers) {
  Finding finding{Finding::Level::Problem, "devices", "", "programs see no device", "see what is said above"};
  const std::string mask = unset_advice({"ZE_AFFINITY_MASK"});
  if (drivers == 0 || mask.empty()) return finding;
  finding.text = fmt::format("ZE_AFFINITY_MASK `{}` hides every device", std::getenv("ZE_AFFINITY_MASK"));
  finding.advice = mask;
  return finding;
}

} // namespace

Findings examine_devices() {
  Findings findings;
  try {
    size_t driver_number = 0;
    for (const DriverEntry& driver : enumerate_drivers()) {
      size_t number = 0;
      for (ze_device_handle_t device : driver.devices)
        findings.push_back(examine_device(driver.handle, device, fmt::format("{}.{}", driver_number, number++)));
      ++driver_number;
    }
    if (findings.empty()) findings.push_back(no_device(driver_number));
  } catch (const std::exception& error) {
    findings.push_back({Finding::Level::Problem, "devices", "", error.what(), "see the plugins above"});
  }
  return findings;
}

} // namespace zeroth::cli
