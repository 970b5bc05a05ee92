// One kernel, its arguments and its launches, as `zeroth run` does them: build, set_arguments, launch, write_outputs,
// in this order. Every failure is a Failure in words. One thread; the options outlive the runner.
#pragma once

#include "cli/level_zero.hpp"
#include "cli/run_argument.hpp"

#include <kernel_compiler/spirv/inspect.hpp>

#include <memory>

namespace zeroth::cli {

struct RunOptions {
  std::string spirv, kernel, build_flags, opencl_flags;
  std::string groups = "1", group_size = "1";
  std::vector<std::string> arguments, outputs;
  uint32_t device = 0;
  uint32_t repeat = 1;
  bool json = false;
  bool check_engines = false;
};

class KernelRunner {
public:
  // Picks the device and makes a context on it.
  explicit KernelRunner(const RunOptions& options);

  void build();
  void wait_for_best_code(); // after build(): launches do not run code that comes sooner
  void set_arguments();
  void launch();
  void write_outputs() const;

  // What buffer arguments hold now.
  struct Contents {
    size_t index;
    ElementType type;
    std::vector<std::byte> bytes;
  };
  std::vector<Contents> contents() const;

  const std::string& device_name() const { return device_name_; }
  const std::string& kernel_name() const { return kernel_name_; }
  double build_milliseconds() const { return build_milliseconds_; }
  // Sorted; one for each launch, from append to completion.
  const std::vector<double>& launch_milliseconds() const { return launch_milliseconds_; }

private:
  struct Buffer {
    size_t index;
    ElementType type;
    size_t bytes;
    std::shared_ptr<void> memory; // released before the context
  };

  void pick_device();
  void create_kernel();
  void note_parameters(const std::vector<std::byte>& module);
  void set_argument(size_t index, const Argument& argument);
  void* make_buffer(size_t index, const Argument& argument);
  const Buffer& buffer_at(size_t index) const;

  const RunOptions& options_;
  ze_driver_handle_t driver_ = nullptr;
  ze_device_handle_t device_ = nullptr;
  std::string device_name_, kernel_name_;
  std::vector<spirv::Argument> parameters_; // of the kernel, by the module's own words
  std::string nulls_;                       // numbers of arguments that are null pointers
  Context context_;
  Module module_;
  Kernel kernel_;
  std::vector<Buffer> buffers_;
  double build_milliseconds_ = 0;
  std::vector<double> launch_milliseconds_;
  uint32_t width_ = 0, height_ = 0;
};

} // namespace zeroth::cli
