// Launch latency of every device of every driver that the configuration selects: one benchmark for each way a program
// waits. Names are <driver>.<device>/<what>; the times are per launch.
//
//   zeroth-bench-launch --kernels=FOLDER [Google Benchmark's options]
#include <level_zero/ze_api.h>

#include <benchmark/benchmark.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

void check(ze_result_t result, const char* call) {
  if (result != ZE_RESULT_SUCCESS) throw std::runtime_error(std::string(call) + " gave " + std::to_string(result));
}
#define CHECK(call) check((call), #call)

constexpr int Batch = 1000;
constexpr uint32_t StoreItems = 1 << 16;

// All that the benchmarks of one device use; lives until the process ends.
struct Bench {
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;
  ze_kernel_handle_t empty = nullptr, store = nullptr;
  ze_command_list_handle_t synchronous = nullptr, asynchronous = nullptr, recorded = nullptr;
  ze_command_queue_handle_t queue = nullptr;
  ze_fence_handle_t fence = nullptr;
  ze_event_handle_t event = nullptr;

  void launch(ze_command_list_handle_t list, ze_kernel_handle_t kernel, uint32_t groups,
              ze_event_handle_t signal) const {
    const ze_group_count_t count{groups, 1, 1};
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &count, signal, 0, nullptr));
  }
};

std::vector<uint8_t> read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

ze_command_list_handle_t immediate(const Bench& bench, ze_command_queue_mode_t mode) {
  ze_command_queue_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;
  desc.mode = mode;
  ze_command_list_handle_t list = nullptr;
  CHECK(zeCommandListCreateImmediate(bench.context, bench.device, &desc, &list));
  return list;
}

// The kernel `name` of <folder>/<name>.spv, in groups of one.
ze_kernel_handle_t make_kernel(const Bench& bench, const std::string& folder, const char* name) {
  const auto spirv = read_file(folder + "/" + name + ".spv");
  ze_module_desc_t module_desc{};
  module_desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  module_desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  module_desc.inputSize = spirv.size();
  module_desc.pInputModule = spirv.data();
  ze_module_handle_t module = nullptr;
  CHECK(zeModuleCreate(bench.context, bench.device, &module_desc, &module, nullptr));
  const ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
  ze_kernel_handle_t kernel = nullptr;
  CHECK(zeKernelCreate(module, &desc, &kernel));
  CHECK(zeKernelSetGroupSize(kernel, 1, 1, 1));
  return kernel;
}

void make_kernels(Bench& bench, const std::string& folder) {
  bench.empty = make_kernel(bench, folder, "empty");
  bench.store = make_kernel(bench, folder, "store");
  ze_device_mem_alloc_desc_t memory_desc{};
  memory_desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  void* out = nullptr;
  CHECK(zeMemAllocDevice(bench.context, &memory_desc, StoreItems * 4, 64, bench.device, &out));
  CHECK(zeKernelSetArgumentValue(bench.store, 0, sizeof out, &out));
}

void make_event(Bench& bench) {
  const ze_event_pool_desc_t pool_desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
  const ze_event_desc_t event_desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, 0, ZE_EVENT_SCOPE_FLAG_HOST};
  ze_event_pool_handle_t pool = nullptr;
  CHECK(zeEventPoolCreate(bench.context, &pool_desc, 1, &bench.device, &pool));
  CHECK(zeEventCreate(pool, &event_desc, &bench.event));
}

// A queue with a list of Batch empty launches, recorded once.
void make_recorded(Bench& bench) {
  const ze_command_queue_desc_t queue{.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                      .pNext = nullptr,
                                      .ordinal = 0,
                                      .index = 0,
                                      .flags = 0,
                                      .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                      .priority = ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  const ze_command_list_desc_t list{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, ZE_COMMAND_LIST_FLAG_IN_ORDER};
  const ze_fence_desc_t fence{ZE_STRUCTURE_TYPE_FENCE_DESC, nullptr, 0};
  CHECK(zeCommandQueueCreate(bench.context, bench.device, &queue, &bench.queue));
  CHECK(zeFenceCreate(bench.queue, &fence, &bench.fence));
  CHECK(zeCommandListCreate(bench.context, bench.device, &list, &bench.recorded));
  for (int i = 0; i < Batch; ++i) bench.launch(bench.recorded, bench.empty, 1, nullptr);
  CHECK(zeCommandListClose(bench.recorded));
}

const Bench& open_bench(ze_driver_handle_t driver, ze_device_handle_t device, const std::string& folder) {
  Bench& bench = *new Bench;
  bench.device = device;
  const ze_context_desc_t context{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  CHECK(zeContextCreate(driver, &context, &bench.context));
  make_kernels(bench, folder);
  make_event(bench);
  make_recorded(bench);
  bench.synchronous = immediate(bench, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  bench.asynchronous = immediate(bench, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  return bench;
}

template <class Body> benchmark::internal::Benchmark* add(const std::string& name, Body body) {
  return benchmark::RegisterBenchmark(name.c_str(), [body](benchmark::State& state) {
    for (auto _ : state) body();
  });
}

// The time of a body when the device's threads have gone to sleep: each runs alone, after a pause.
template <class Body> void add_parked(const std::string& name, Body body) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [body](benchmark::State& state) {
                                 using Clock = std::chrono::steady_clock;
                                 for (auto _ : state) {
                                   std::this_thread::sleep_for(std::chrono::milliseconds(5));
                                   const auto begin = Clock::now();
                                   body();
                                   state.SetIterationTime(std::chrono::duration<double>(Clock::now() - begin).count());
                                 }
                               })
      ->UseManualTime()
      ->Iterations(400);
}

// The time of one launch where an iteration does `launches` of them.
template <class Body> void add_batch(const std::string& name, int launches, Body body) {
  benchmark::RegisterBenchmark(name.c_str(), [body, launches](benchmark::State& state) {
    for (auto _ : state) body();
    state.counters["each"] = benchmark::Counter(double(state.iterations()) * launches,
                                                benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  });
}

void register_benchmarks(const std::string& prefix, const Bench& bench) {
  add(prefix + "/empty, synchronous list", [&] { bench.launch(bench.synchronous, bench.empty, 1, nullptr); });
  add(prefix + "/empty, list synchronize", [&] {
    bench.launch(bench.asynchronous, bench.empty, 1, nullptr);
    CHECK(zeCommandListHostSynchronize(bench.asynchronous, UINT64_MAX));
  });
  add(prefix + "/empty, event wait", [&] {
    bench.launch(bench.asynchronous, bench.empty, 1, bench.event);
    CHECK(zeEventHostSynchronize(bench.event, UINT64_MAX));
    CHECK(zeEventHostReset(bench.event));
  });
  add_parked(prefix + "/empty, list synchronize, parked", [&] {
    bench.launch(bench.asynchronous, bench.empty, 1, nullptr);
    CHECK(zeCommandListHostSynchronize(bench.asynchronous, UINT64_MAX));
  });
  add_parked(prefix + "/clock alone, parked", [] {});
  add_batch(prefix + "/1000 empty, immediate list", Batch, [&] {
    for (int i = 0; i < Batch; ++i) bench.launch(bench.asynchronous, bench.empty, 1, nullptr);
    CHECK(zeCommandListHostSynchronize(bench.asynchronous, UINT64_MAX));
  });
  add_batch(prefix + "/1000 empty, recorded list", Batch, [&] {
    CHECK(zeCommandQueueExecuteCommandLists(bench.queue, 1, const_cast<ze_command_list_handle_t*>(&bench.recorded),
                                            bench.fence));
    CHECK(zeFenceHostSynchronize(bench.fence, UINT64_MAX));
    CHECK(zeFenceReset(bench.fence));
  });
  for (uint32_t local : {1u, 16u, 64u, 256u})
    add_batch(prefix + "/group of " + std::to_string(local) + ", one store an item", int(StoreItems / local),
              [&, local] {
                CHECK(zeKernelSetGroupSize(bench.store, local, 1, 1));
                bench.launch(bench.synchronous, bench.store, StoreItems / local, nullptr);
              });
}

void register_devices(const std::string& folder) {
  CHECK(zeInit(0));
  uint32_t drivers = 0;
  CHECK(zeDriverGet(&drivers, nullptr));
  std::vector<ze_driver_handle_t> handles(drivers);
  CHECK(zeDriverGet(&drivers, handles.data()));
  for (uint32_t i = 0; i < drivers; ++i) {
    uint32_t count = 0;
    CHECK(zeDeviceGet(handles[i], &count, nullptr));
    std::vector<ze_device_handle_t> devices(count);
    CHECK(zeDeviceGet(handles[i], &count, devices.data()));
    for (uint32_t j = 0; j < count; ++j) {
      ze_device_properties_t properties{};
      properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
      CHECK(zeDeviceGetProperties(devices[j], &properties));
      const std::string number = std::to_string(i) + "." + std::to_string(j);
      benchmark::AddCustomContext("device " + number, properties.name);
      register_benchmarks(number, open_bench(handles[i], devices[j], folder));
    }
  }
}

} // namespace

int main(int argc, char** argv) try {
  std::string folder = ".";
  for (int i = 1; i < argc; ++i)
    if (std::string(argv[i]).starts_with("--kernels=")) folder = std::string(argv[i]).substr(10);
  benchmark::Initialize(&argc, argv);
  register_devices(folder);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
