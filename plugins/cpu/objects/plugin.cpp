// The plugin's two faces: the descriptor that the Zeroth core reads, and the calls that come before any object. Under
// the upstream loader only the second one exists.
#include "command_interfaces.hpp"
#include "driver.hpp"
#include "options.hpp"

#include <sdk/error.hpp>
#include <sdk/log.hpp>
#include <sdk/zeroth_command.h>
#include <sdk/zeroth_host_device.h>
#include <sdk/zeroth_plugin.h>
#include <zeroth/device/entry.hpp>

#include <atomic>
#include <iterator>

namespace zeroth::cpu {

namespace {

std::atomic<bool> hosted{false};

ze_result_t init(const zeroth_host* host) {
  use_host_log(host);
  CpuDriver::configure(read_options(*host));
  hosted.store(true, std::memory_order_relaxed);
  return ZE_RESULT_SUCCESS;
}

// Which programs see a driver. The Zeroth core decides what type the device reports, and asks for all types; alone, a
// program that wants GPUs and nothing else is served as if the device were one, since most programs look no further.
class CpuEntry final : public device::Entry {
public:
  ze_result_t init(ze_init_flags_t flags) override {
    const bool gpu = flags & ZE_INIT_FLAG_GPU_ONLY, npu = flags & ZE_INIT_FLAG_VPU_ONLY;
    return serve(gpu && !npu, npu && !gpu) ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNINITIALIZED;
  }

  ze_result_t driver_get(uint32_t* count, ze_driver_handle_t* drivers) override {
    return hand_out_driver(count, drivers);
  }

  ze_result_t init_drivers(uint32_t* count, ze_driver_handle_t* drivers, ze_init_driver_type_desc_t* desc) override {
    const bool gpu = desc->flags & ZE_INIT_DRIVER_TYPE_FLAG_GPU, npu = desc->flags & ZE_INIT_DRIVER_TYPE_FLAG_NPU;
    if (desc->flags == 0 || !serve(gpu && !npu, npu && !gpu)) {
      *count = 0;
      return ZE_RESULT_SUCCESS;
    }
    return hand_out_driver(count, drivers);
  }

  ze_result_t zer_get_last_error_description(const char** text) override {
    *text = last_error::text();
    return ZE_RESULT_SUCCESS;
  }

  ze_context_handle_t zer_get_default_context() override { return CpuDriver::instance().get_default_context(); }

private:
  static bool serve(bool gpu_only, bool npu_only) {
    if (npu_only) return false;
    if (hosted.load(std::memory_order_relaxed)) return !gpu_only;
    static std::atomic<bool> decided{false}; // the first init of a process decides
    if (!decided.exchange(true)) CpuDriver::instance().report_gpu(gpu_only);
    return true;
  }

  static ze_result_t hand_out_driver(uint32_t* count, ze_driver_handle_t* drivers) {
    if (drivers && *count) *drivers = to_handle(&CpuDriver::instance());
    *count = 1;
    return ZE_RESULT_SUCCESS;
  }
};

constexpr const char* Provided[] = {ZEROTH_COMMAND_WALK, ZEROTH_COMMAND_PATCH, ZEROTH_HOST_DEVICE};

constexpr zeroth_option Options[] = {
    {"threads", "integer", "0", "worker threads, 255 at most; 0 takes one per usable core"},
    {"cores", "string", "", "processors that workers may use, as 0-3,8; empty takes those of the process"},
    {"placement", "string", "none", "core binds each worker to one processor"},
    {"sub_devices", "string", "0", "parts of the device: a number, numa, or sets of processors as 0-3;4-7"},
    {"cpu", "string", "", "what kernels may use at most: sse, avx2 or avx512; empty takes all that this machine has"},
    {"compiler", "string", "",
     "path of the worker program zeroth-kernelc; empty finds it beside the library; "
     "in-process loads the compiler into the program, where no process can be started"},
};

} // namespace

} // namespace zeroth::cpu

zeroth::device::Entry& zeroth::device::entry() {
  static cpu::CpuEntry& only = *new cpu::CpuEntry;
  return only;
}

ZEROTH_PLUGIN_EXPORT const zeroth_plugin zeroth_plugin_descriptor = {
    .abi_version = ZEROTH_PLUGIN_ABI_VERSION,
    .struct_size = sizeof(zeroth_plugin),
    .kind = ZEROTH_PLUGIN_DEVICE,
    .api_version = ZE_API_VERSION_1_20,
    .name = "cpu",
    .version = "0.1.0",
    .description = "the cores of this machine",
    .provides = zeroth::cpu::Provided,
    .provides_count = std::size(zeroth::cpu::Provided),
    .option_count = std::size(zeroth::cpu::Options),
    .options = zeroth::cpu::Options,
    .init = &zeroth::cpu::init,
    .fini = nullptr,
    .find_interface = &zeroth::cpu::find_interface,
    .apply = nullptr,
};
