// `zeroth run kernel.spv`: launches any kernel with arguments from the command line and from files.
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/level_zero.hpp"
#include "cli/run_buffer.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <memory>

namespace zeroth::cli {
namespace {

struct RunOptions {
  std::string spirv, kernel, build_flags;
  std::string groups = "1", group_size = "1";
  std::vector<std::string> arguments, outputs;
  uint32_t device = 0;
  uint32_t repeat = 1;
  bool json = false;
};

// A buffer argument and where its bytes go afterwards. The context that owns the memory outlives this object.
struct Buffer {
  size_t index;
  ElementType type;
  size_t bytes;
  std::shared_ptr<void> memory;
};

struct Output {
  size_t index;
  std::string file; // "-": text on stdout
  uint32_t width = 0, height = 0;
};

// "INDEX=FILE" or "INDEX=FILE@WIDTHxHEIGHT".
Output parse_output(const std::string& text) {
  Output output{};
  char file[4096] = "";
  const int fields = std::sscanf(text.c_str(), "%zu=%4095[^@]@%ux%u", &output.index, file, &output.width, &output.height);
  if (fields != 2 && fields != 4)
    throw Failure(fmt::format("\"{}\": expected INDEX=FILE or INDEX=FILE@WIDTHxHEIGHT", text));
  output.file = file;
  return output;
}

class Runner {
public:
  explicit Runner(const RunOptions& options) : options_(options) {
    pick_device();
    const ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
    ze_context_handle_t context = nullptr;
    ZEROTH_CHECK(zeContextCreate(driver_, &desc, &context));
    context_.reset(context);
  }

  void build() {
    const auto spirv = read_buffer(options_.spirv, ElementType::U8);
    ze_module_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
    desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
    desc.inputSize = spirv.size();
    desc.pInputModule = reinterpret_cast<const uint8_t*>(spirv.data());
    desc.pBuildFlags = options_.build_flags.c_str();
    ze_module_handle_t module = nullptr;
    ze_module_build_log_handle_t log = nullptr;
    const auto start = std::chrono::steady_clock::now();
    const ze_result_t result = zeModuleCreate(context_.get(), device_, &desc, &module, &log);
    build_ms = milliseconds_since(start);
    const BuildLog owned_log(log);
    if (result != ZE_RESULT_SUCCESS) throw Failure(fmt::format("{} does not build:\n{}", options_.spirv, log_text(log)));
    module_.reset(module);
    create_kernel();
  }

  void set_arguments() {
    for (size_t i = 0; i < options_.arguments.size(); ++i) {
      const Argument argument = parse_argument(options_.arguments[i]);
      try {
        set_argument(i, argument);
      } catch (const Failure& failure) {
        throw Failure(fmt::format("argument {} ({}): {}", i, options_.arguments[i], failure.what()));
      }
    }
  }

  void launch() {
    const Extent groups = parse_extent(options_.groups), size = parse_extent(options_.group_size);
    ZEROTH_CHECK(zeKernelSetGroupSize(kernel_.get(), size.x, size.y, size.z));
    ze_command_queue_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
    ze_command_list_handle_t list = nullptr;
    ZEROTH_CHECK(zeCommandListCreateImmediate(context_.get(), device_, &desc, &list));
    const CommandList owned(list);
    const ze_group_count_t count{groups.x, groups.y, groups.z};
    for (uint32_t i = 0; i < options_.repeat; ++i) {
      const auto start = std::chrono::steady_clock::now();
      ZEROTH_CHECK(zeCommandListAppendLaunchKernel(list, kernel_.get(), &count, nullptr, 0, nullptr));
      launch_ms.push_back(milliseconds_since(start));
    }
    std::sort(launch_ms.begin(), launch_ms.end());
    width_ = groups.x * size.x;
    height_ = groups.y * size.y;
  }

  void write_outputs() const {
    for (const std::string& text : options_.outputs) {
      const Output output = parse_output(text);
      const auto buffer = std::find_if(buffers_.begin(), buffers_.end(), [&](auto& b) { return b.index == output.index; });
      if (buffer == buffers_.end()) throw Failure(fmt::format("--out {}: argument {} is no buffer", text, output.index));
      const auto* raw = static_cast<const std::byte*>(buffer->memory.get());
      const std::vector<std::byte> bytes(raw, raw + buffer->bytes);
      if (output.file == "-") fmt::print("{}", buffer_text(bytes, buffer->type));
      else write_buffer(output.file, bytes, buffer->type, output.width ? output.width : width_,
                        output.height ? output.height : height_);
    }
  }

  std::string kernel_name;
  std::string device_name;
  double build_ms = 0;
  std::vector<double> launch_ms; // sorted

private:
  static double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }

  static std::string log_text(ze_module_build_log_handle_t log) {
    size_t size = 0;
    if (!log || zeModuleBuildLogGetString(log, &size, nullptr) != ZE_RESULT_SUCCESS || size == 0) return "(no log)";
    std::string text(size, '\0');
    check(zeModuleBuildLogGetString(log, &size, text.data()), "zeModuleBuildLogGetString");
    return text.substr(0, text.find('\0'));
  }

  void pick_device() {
    uint32_t number = 0;
    for (const DriverEntry& driver : enumerate_drivers())
      for (ze_device_handle_t device : driver.devices)
        if (number++ == options_.device) {
          driver_ = driver.handle;
          device_ = device;
        }
    if (!device_) throw Failure(fmt::format("no device {}: there are {}; see `zeroth info`", options_.device, number));
    ze_device_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    ZEROTH_CHECK(zeDeviceGetProperties(device_, &properties));
    device_name = properties.name;
  }

  // The kernel asked for, or the only one.
  void create_kernel() {
    const auto query = [&](uint32_t* count, const char** names) {
      return zeModuleGetKernelNames(module_.get(), count, names);
    };
    const auto names = ask_list<const char*>(query, "zeModuleGetKernelNames");
    const std::string known = fmt::format("{}", fmt::join(names, ", "));
    if (options_.kernel.empty() && names.size() != 1)
      throw Failure(fmt::format("choose one with --kernel: {}", known));
    kernel_name = options_.kernel.empty() ? names.front() : options_.kernel;
    if (std::find(names.begin(), names.end(), kernel_name) == names.end())
      throw Failure(fmt::format("no kernel \"{}\"; the module has: {}", kernel_name, known));
    const ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, kernel_name.c_str()};
    ze_kernel_handle_t kernel = nullptr;
    ZEROTH_CHECK(zeKernelCreate(module_.get(), &desc, &kernel));
    kernel_.reset(kernel);
  }

  void set_argument(size_t index, const Argument& argument) {
    void* pointer = nullptr;
    const void* value = &pointer;
    size_t size = sizeof pointer;
    if (argument.kind == Argument::Kind::Value) value = argument.value.data(), size = argument.value.size();
    if (argument.kind == Argument::Kind::Local) value = nullptr, size = argument.count;
    if (argument.kind == Argument::Kind::Buffer) pointer = make_buffer(index, argument);
    ZEROTH_CHECK(zeKernelSetArgumentValue(kernel_.get(), uint32_t(index), size, value));
  }

  void* make_buffer(size_t index, const Argument& argument) {
    std::vector<std::byte> bytes(argument.count * size_of(argument.type));
    if (!argument.file.empty()) bytes = read_buffer(argument.file, argument.type);
    ze_device_mem_alloc_desc_t device_desc{};
    device_desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
    ze_host_mem_alloc_desc_t host_desc{};
    host_desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
    void* memory = nullptr;
    const size_t size = std::max<size_t>(bytes.size(), 1);
    ZEROTH_CHECK(zeMemAllocShared(context_.get(), &device_desc, &host_desc, size, 64, device_, &memory));
    std::memcpy(memory, bytes.data(), bytes.size());
    const auto release = [context = context_.get()](void* p) { zeMemFree(context, p); };
    buffers_.push_back({index, argument.type, bytes.size(), std::shared_ptr<void>(memory, release)});
    return memory;
  }

  const RunOptions& options_;
  ze_driver_handle_t driver_ = nullptr;
  ze_device_handle_t device_ = nullptr;
  Context context_;
  Module module_;
  Kernel kernel_;
  std::vector<Buffer> buffers_;
  uint32_t width_ = 0, height_ = 0;
};

void print_timing(const RunOptions& options, const Runner& runner) {
  const double median = runner.launch_ms[runner.launch_ms.size() / 2];
  const Json report = {{"device", runner.device_name},
                       {"kernel", runner.kernel_name},
                       {"build ms", runner.build_ms},
                       {"launches", runner.launch_ms.size()},
                       {"shortest ms", runner.launch_ms.front()},
                       {"median ms", median},
                       {"longest ms", runner.launch_ms.back()}};
  if (options.json) return fmt::print("{}\n", report.dump(2));
  const bool text_on_stdout = std::any_of(options.outputs.begin(), options.outputs.end(),
                                          [](const std::string& output) { return output.ends_with("=-"); });
  Console(text_on_stdout ? stderr : stdout).tree(report);
}

int run_kernel(const RunOptions& options) {
  Runner runner(options);
  runner.build();
  runner.set_arguments();
  runner.launch();
  runner.write_outputs();
  print_timing(options, runner);
  return 0;
}

} // namespace

void add_run_command(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Launch a kernel of a SPIR-V file");
  command->add_option("file", options->spirv, "SPIR-V module")->required()->check(CLI::ExistingFile);
  command->add_option("--kernel", options->kernel, "Kernel name (may be left out when there is one)");
  command->add_option("--groups", options->groups, "Number of work-groups: X[,Y[,Z]]");
  command->add_option("--group-size", options->group_size, "Work-items of a group: X[,Y[,Z]]");
  command->add_option("--arg", options->arguments, "Next argument, see below")->take_all()->allow_extra_args(false);
  command->add_option("--out", options->outputs, "INDEX=FILE: write buffer argument INDEX")->allow_extra_args(false);
  command->add_option("--device", options->device, "Device number, counted over all drivers");
  command->add_option("--repeat", options->repeat, "Launches to time")->check(CLI::PositiveNumber);
  command->add_option("--build-flags", options->build_flags, "Build flags of the module");
  command->add_flag("--json", options->json, "Print the timing as JSON");
  command->footer("Arguments, in order:\n"
                  "  f32:0.5  i32:1,2,3,4   a value, a vector\n"
                  "  f32[]:1024             a buffer of 1024 zeros\n"
                  "  f32[]:in.txt           a buffer from a file: .txt numbers, .png picture\n"
                  "                         (u8 RGB or f32 brightness), else raw bytes\n"
                  "  local:4096             work-group memory of 4096 bytes\n"
                  "  null                   a null pointer\n"
                  "Outputs: --out 0=o.bin, 0=o.txt, 0=o.png[@WIDTHxHEIGHT], 0=- (text).\n"
                  "Example:\n"
                  "  zeroth run saxpy.spv --groups 4 --group-size 256 \\\n"
                  "    --arg f32:2 --arg f32[]:x.txt --arg f32[]:1024 --out 2=-");
  command->callback([options, &exit_status] { exit_status = run_kernel(*options); });
}

} // namespace zeroth::cli
