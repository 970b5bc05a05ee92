// What a call through a loader costs over a call of the driver's function, with one driver loaded or several: ours and
// the upstream loader in one process, over copies of the same driver that does nothing.
//
//   zeroth-bench-calls --plugins=N --driver=FILE --loader=NAME=FILE... [Google Benchmark's options]
#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>

#include <benchmark/benchmark.h>

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

void check(ze_result_t result, const char* call) {
  if (result != ZE_RESULT_SUCCESS) throw std::runtime_error(std::string(call) + ": " + std::to_string(result));
}

// A folder that is gone when the program ends.
class ScratchFolder {
public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "zeroth-bench-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no scratch folder");
    path = name;
  }
  ~ScratchFolder() { fs::remove_all(path); }
  fs::path path;
};

class Library {
public:
  explicit Library(const std::string& file) : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_) throw std::runtime_error(dlerror());
  }
  template <class Function> Function* symbol(const char* name) const {
    auto* address = reinterpret_cast<Function*>(dlsym(handle_, name));
    if (!address) throw std::runtime_error(std::string("no ") + name);
    return address;
  }

private:
  void* handle_; // open until the process ends
};

#define SYMBOL(library, function) (library).symbol<decltype(::function)>(#function)

// One loader with its own copies of the driver, and an object to call on.
struct Loaded {
  std::string name;
  ze_event_handle_t event = nullptr;
  ze_command_list_handle_t list = nullptr;
  ze_kernel_handle_t kernel = nullptr;
  decltype(&zeEventQueryStatus) query_status = nullptr;
  decltype(&zeCommandListAppendLaunchKernel) append_launch = nullptr;
};

std::string copies_of(const fs::path& driver, const fs::path& folder, int count) {
  std::string list;
  for (int i = 0; i < count; ++i) {
    const fs::path copy = folder / ("null_" + std::to_string(i) + ".so");
    fs::copy_file(driver, copy);
    list += (list.empty() ? "" : ",") + copy.string();
  }
  return list;
}

void make_objects(Loaded& loaded, const Library& library) {
  uint32_t one = 1;
  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;
  ze_event_pool_handle_t pool = nullptr;
  ze_module_handle_t module = nullptr;
  const ze_context_desc_t context_desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  const ze_event_pool_desc_t pool_desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, 0, 1};
  const ze_event_desc_t event_desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, 0, 0};
  const ze_command_list_desc_t list_desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, 0};
  const uint8_t code[4] = {};
  ze_module_desc_t module_desc{};
  module_desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  module_desc.inputSize = sizeof code;
  module_desc.pInputModule = code;
  const ze_kernel_desc_t kernel_desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "null"};
  check(SYMBOL(library, zeInit)(0), "zeInit");
  check(SYMBOL(library, zeDriverGet)(&one, &driver), "zeDriverGet");
  check(SYMBOL(library, zeDeviceGet)(driver, &one, &device), "zeDeviceGet");
  check(SYMBOL(library, zeContextCreate)(driver, &context_desc, &context), "zeContextCreate");
  check(SYMBOL(library, zeEventPoolCreate)(context, &pool_desc, 1, &device, &pool), "zeEventPoolCreate");
  check(SYMBOL(library, zeEventCreate)(pool, &event_desc, &loaded.event), "zeEventCreate");
  check(SYMBOL(library, zeCommandListCreate)(context, device, &list_desc, &loaded.list), "zeCommandListCreate");
  check(SYMBOL(library, zeModuleCreate)(context, device, &module_desc, &module, nullptr), "zeModuleCreate");
  check(SYMBOL(library, zeKernelCreate)(module, &kernel_desc, &loaded.kernel), "zeKernelCreate");
}

Loaded open_loader(const std::string& name, const std::string& file, const std::string& drivers) {
  setenv("ZE_ENABLE_ALT_DRIVERS", drivers.c_str(), 1);
  Loaded loaded{.name = name};
  const Library library(file);
  make_objects(loaded, library);
  loaded.query_status = SYMBOL(library, zeEventQueryStatus);
  loaded.append_launch = SYMBOL(library, zeCommandListAppendLaunchKernel);
  return loaded;
}

// The functions of the driver itself, on the objects that `loaded` has of it: what every loader is compared with.
Loaded without_loader(const Loaded& loaded, const std::string& driver) {
  const Library library(driver);
  ze_event_dditable_t events{};
  ze_command_list_dditable_t lists{};
  check(SYMBOL(library, zeGetEventProcAddrTable)(ZE_API_VERSION_1_8, &events), "zeGetEventProcAddrTable");
  check(SYMBOL(library, zeGetCommandListProcAddrTable)(ZE_API_VERSION_1_8, &lists), "zeGetCommandListProcAddrTable");
  Loaded direct = loaded;
  direct.name = "direct";
  direct.query_status = events.pfnQueryStatus;
  direct.append_launch = lists.pfnAppendLaunchKernel;
  return direct;
}

void register_benchmarks(const Loaded& loaded) {
  benchmark::RegisterBenchmark((loaded.name + "/event_query").c_str(), [loaded](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(loaded.query_status(loaded.event));
  });
  benchmark::RegisterBenchmark((loaded.name + "/append_launch").c_str(), [loaded](benchmark::State& state) {
    const ze_group_count_t groups{1, 1, 1};
    for (auto _ : state)
      benchmark::DoNotOptimize(loaded.append_launch(loaded.list, loaded.kernel, &groups, nullptr, 0, nullptr));
  });
}

struct Options {
  int plugins = 1;
  std::string driver;
  std::vector<std::pair<std::string, std::string>> loaders; // name, file
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const size_t at = argument.find('=');
    const std::string value = at == std::string::npos ? "" : argument.substr(at + 1);
    if (argument.starts_with("--plugins=")) options.plugins = std::stoi(value);
    if (argument.starts_with("--driver=")) options.driver = value;
    if (argument.starts_with("--loader="))
      options.loaders.emplace_back(value.substr(0, value.find('=')), value.substr(value.find('=') + 1));
  }
  if (options.loaders.empty()) throw std::runtime_error("give --driver=FILE and --loader=NAME=FILE");
  return options;
}

} // namespace

int main(int argc, char** argv) try {
  benchmark::Initialize(&argc, argv);
  const Options options = parse(argc, argv);
  const ScratchFolder scratch;
  for (const auto& [name, file] : options.loaders) {
    const fs::path folder = scratch.path / name;
    fs::create_directory(folder);
    const std::string drivers = copies_of(options.driver, folder, options.plugins);
    const Loaded loaded = open_loader(name, file, drivers);
    if (name == options.loaders.front().first)
      register_benchmarks(without_loader(loaded, drivers.substr(0, drivers.find(','))));
    register_benchmarks(loaded);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
