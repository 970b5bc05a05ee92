#include "cli/kernel_runner.hpp"

#include "cli/fault_words.hpp"
#include "cli/opencl_source.hpp"
#include "cli/parameter_check.hpp"
#include "cli/run_buffer.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <new>
#include <zeroth/api/printers.hpp>

namespace zeroth::cli {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Output {
  size_t index;
  std::string file; // "-": text on stdout
  uint32_t width = 0, height = 0;
};

// "INDEX=FILE" or "INDEX=FILE@WIDTHxHEIGHT".
Output parse_output(const std::string& text) {
  Output output{};
  char file[4096] = "";
  const int fields =
      std::sscanf(text.c_str(), "%zu=%4095[^@]@%ux%u", &output.index, file, &output.width, &output.height);
  if (fields != 2 && fields != 4)
    throw Failure(fmt::format("\"{}\": expected INDEX=FILE or INDEX=FILE@WIDTHxHEIGHT", text));
  output.file = file;
  return output;
}

} // namespace

KernelRunner::KernelRunner(const RunOptions& options) : options_(options) {
  pick_device();
  const ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ze_context_handle_t context = nullptr;
  ZEROTH_CHECK(zeContextCreate(driver_, &desc, &context));
  context_.reset(context);
}

void KernelRunner::pick_device() {
  uint32_t number = 0;
  for (const DriverEntry& driver : enumerate_drivers())
    for (ze_device_handle_t device : driver.devices)
      if (number++ == options_.device) driver_ = driver.handle, device_ = device;
  if (!device_) throw Failure(fmt::format("no device {}: there are {}; see `zeroth info`", options_.device, number));
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  ZEROTH_CHECK(zeDeviceGetProperties(device_, &properties));
  device_name_ = properties.name;
}

void KernelRunner::build() {
  const auto spirv = read_module(options_.spirv, options_.opencl_flags, lines_for(options_.build_flags));
  if (spirv.empty()) throw Failure(fmt::format("{} is empty", options_.spirv));
  ze_module_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  desc.inputSize = spirv.size();
  desc.pInputModule = reinterpret_cast<const uint8_t*>(spirv.data());
  desc.pBuildFlags = options_.build_flags.c_str();
  ze_module_handle_t module = nullptr;
  ze_module_build_log_handle_t log = nullptr;
  const auto start = Clock::now();
  const ze_result_t result = zeModuleCreate(context_.get(), device_, &desc, &module, &log);
  build_milliseconds_ = milliseconds_since(start);
  const BuildLog owned_log(log);
  if (result != ZE_RESULT_SUCCESS)
    throw Failure(fmt::format("{} does not build ({}):\n{}", options_.spirv, result_name(result), build_log_text(log)));
  module_.reset(module);
  create_kernel();
  note_parameters(spirv);
}

// A native binary holds nothing less.
void KernelRunner::wait_for_best_code() {
  size_t size = 0;
  check(zeModuleGetNativeBinary(module_.get(), &size, nullptr), "zeModuleGetNativeBinary");
}

// The kernel asked for, or the only one.
void KernelRunner::create_kernel() {
  const auto query = [&](uint32_t* count, const char** names) {
    return zeModuleGetKernelNames(module_.get(), count, names);
  };
  const auto names = ask_list<const char*>(query, "zeModuleGetKernelNames");
  const std::string known = fmt::format("{}", fmt::join(names, ", "));
  if (names.empty()) throw Failure("the module has no kernel");
  if (options_.kernel.empty() && names.size() != 1) throw Failure(fmt::format("choose one with --kernel: {}", known));
  kernel_name_ = options_.kernel.empty() ? names.front() : options_.kernel;
  if (std::find(names.begin(), names.end(), kernel_name_) == names.end())
    throw Failure(fmt::format("no kernel \"{}\"; the module has: {}", kernel_name_, known));
  const ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, kernel_name_.c_str()};
  ze_kernel_handle_t kernel = nullptr;
  ZEROTH_CHECK(zeKernelCreate(module_.get(), &desc, &kernel));
  kernel_.reset(kernel);
}

// What the module itself says of the kernel's parameters; nothing where it cannot be read.
void KernelRunner::note_parameters(const std::vector<std::byte>& module) {
  std::vector<uint32_t> words(module.size() / sizeof(uint32_t));
  std::memcpy(words.data(), module.data(), words.size() * sizeof(uint32_t));
  for (const spirv::Kernel& kernel : spirv::inspect(words).info.kernels)
    if (kernel.name == kernel_name_) parameters_ = kernel.arguments;
}

void KernelRunner::set_arguments() {
  ze_kernel_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  ZEROTH_CHECK(zeKernelGetProperties(kernel_.get(), &properties));
  if (properties.numKernelArgs != options_.arguments.size())
    throw Failure(fmt::format("kernel \"{}\" takes {} argument{} (--arg), {} given", kernel_name_,
                              properties.numKernelArgs, properties.numKernelArgs == 1 ? "" : "s",
                              options_.arguments.size()));
  for (size_t i = 0; i < options_.arguments.size(); ++i) {
    try {
      set_argument(i, parse_argument(options_.arguments[i]));
    } catch (const Failure& failure) {
      throw Failure(fmt::format("argument {} ({}): {}", i, options_.arguments[i], failure.what()));
    } catch (const std::exception&) { // the standard library's ways to say "too much"
      throw Failure(fmt::format("argument {} ({}): there is not so much memory", i, options_.arguments[i]));
    }
  }
}

void KernelRunner::set_argument(size_t index, const Argument& argument) {
  void* pointer = nullptr;
  const void* value = &pointer;
  size_t size = sizeof pointer;
  if (index < parameters_.size())
    if (const std::string why = mismatch(argument, parameters_[index]); !why.empty()) throw Failure(why);
  if (argument.kind == Argument::Kind::Value) value = argument.value.data(), size = argument.value.size();
  if (argument.kind == Argument::Kind::Local) value = nullptr, size = argument.count;
  if (argument.kind == Argument::Kind::Null) nulls_ += (nulls_.empty() ? "" : ", ") + std::to_string(index);
  if (argument.kind == Argument::Kind::Buffer) pointer = make_buffer(index, argument);
  ZEROTH_CHECK(zeKernelSetArgumentValue(kernel_.get(), uint32_t(index), size, value));
}

void* KernelRunner::make_buffer(size_t index, const Argument& argument) {
  std::vector<std::byte> contents;
  if (!argument.file.empty())
    contents = read_buffer(argument.file, argument.type);
  else if (argument.count > std::numeric_limits<size_t>::max() / size_of(argument.type))
    throw std::bad_alloc();
  const size_t bytes = argument.file.empty() ? argument.count * size_of(argument.type) : contents.size();
  ze_device_mem_alloc_desc_t device_desc{};
  device_desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  ze_host_mem_alloc_desc_t host_desc{};
  host_desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  void* memory = nullptr;
  const size_t size = std::max<size_t>(bytes, 1);
  const ze_result_t result = zeMemAllocShared(context_.get(), &device_desc, &host_desc, size, 64, device_, &memory);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_SIZE) throw std::bad_alloc();
  check(result, "zeMemAllocShared");
  const auto release = [context = context_.get()](void* p) { zeMemFree(context, p); };
  buffers_.push_back({index, argument.type, bytes, std::shared_ptr<void>(memory, release)});
  if (argument.file.empty())
    std::memset(memory, 0, bytes);
  else
    std::memcpy(memory, contents.data(), bytes);
  return memory;
}

void KernelRunner::launch() {
  const Extent groups = parse_extent(options_.groups), size = parse_extent(options_.group_size);
  ZEROTH_CHECK(zeKernelSetGroupSize(kernel_.get(), size.x, size.y, size.z));
  ze_command_queue_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  ze_command_list_handle_t list = nullptr;
  ZEROTH_CHECK(zeCommandListCreateImmediate(context_.get(), device_, &desc, &list));
  const CommandList owned(list);
  const ze_group_count_t count{groups.x, groups.y, groups.z};
  const FaultWords words(kernel_name_, nulls_.empty() ? "" : "null is what was given for argument " + nulls_);
  for (uint32_t i = 0; i < options_.repeat; ++i) {
    const auto start = Clock::now();
    ZEROTH_CHECK(zeCommandListAppendLaunchKernel(list, kernel_.get(), &count, nullptr, 0, nullptr));
    launch_milliseconds_.push_back(milliseconds_since(start));
  }
  std::sort(launch_milliseconds_.begin(), launch_milliseconds_.end());
  width_ = groups.x * size.x;
  height_ = groups.y * size.y;
}

std::vector<KernelRunner::Contents> KernelRunner::contents() const {
  std::vector<Contents> all;
  for (const Buffer& buffer : buffers_) {
    const auto* raw = static_cast<const std::byte*>(buffer.memory.get());
    all.push_back({buffer.index, buffer.type, {raw, raw + buffer.bytes}});
  }
  return all;
}

const KernelRunner::Buffer& KernelRunner::buffer_at(size_t index) const {
  for (const Buffer& buffer : buffers_)
    if (buffer.index == index) return buffer;
  throw Failure(fmt::format("--out {}: that argument is no buffer", index));
}

void KernelRunner::write_outputs() const {
  for (const std::string& text : options_.outputs) {
    const Output output = parse_output(text);
    const Buffer& buffer = buffer_at(output.index);
    const auto* raw = static_cast<const std::byte*>(buffer.memory.get());
    const std::vector<std::byte> bytes(raw, raw + buffer.bytes);
    if (output.file == "-")
      fmt::print("{}", buffer_text(bytes, buffer.type));
    else
      write_buffer(output.file, bytes, buffer.type, output.width ? output.width : width_,
                   output.height ? output.height : height_);
  }
}

} // namespace zeroth::cli
