// A kernel: the code of one entry point and the arguments that the next append takes.
// Threads: one thread at a time changes it; appends read it and keep nothing of it but the code.
#pragma once
#include "module.hpp"

#include <kernel_compiler/client/kernel_compiler.hpp>

#include <array>
#include <vector>

namespace zeroth::cpu {

class CpuKernel final : public device::Kernel {
public:
  CpuKernel(CpuModule& module, const compiler::KernelInfo& info, KernelCode& code);

  // With the same arguments and group size, or with none set.
  std::unique_ptr<CpuKernel> copy() const;
  std::unique_ptr<CpuKernel> without_arguments() const;

  const compiler::KernelInfo& info() const { return info_; }
  std::size_t local_size(uint32_t argument) const { return local_sizes_[argument]; }
  // As a program gives it: images and samplers as handles. Null for local arguments.
  const void* given_value(uint32_t argument) const;
  KernelCode& code() { return code_; }

  // What an append copies: the packed arguments, and the launch with everything but the group counts and their address.
  std::size_t argument_bytes() const { return arguments_.size(); }
  const std::uint8_t* arguments() const { return arguments_.data(); }
  const zeroth_launch& launch() const { return launch_; }
  const LaunchShape& shape() const { return shape_; } // of one group

  // Pointers, images, samplers and local arguments that have no value yet: a launch would run into the void.
  std::size_t unset_arguments() const { return unset_; }
  uint32_t first_unset_argument() const;

  // The arguments of zeCommandListAppendLaunchKernelWithArguments. Sizes are the kernel's own.
  void set_all_arguments(void** values);

  ze_result_t destroy() override;
  ze_result_t set_group_size(uint32_t x, uint32_t y, uint32_t z) override;
  ze_result_t suggest_group_size(uint32_t global_x, uint32_t global_y, uint32_t global_z, uint32_t* x, uint32_t* y,
                                 uint32_t* z) override;
  ze_result_t suggest_max_cooperative_group_count(uint32_t* count) override;
  ze_result_t set_argument_value(uint32_t index, size_t size, const void* value) override;
  ze_result_t set_indirect_access(ze_kernel_indirect_access_flags_t flags) override;
  ze_result_t get_indirect_access(ze_kernel_indirect_access_flags_t* flags) override;
  ze_result_t get_source_attributes(uint32_t* size, char** text) override;
  ze_result_t set_cache_config(ze_cache_config_flags_t) override { return ZE_RESULT_SUCCESS; }
  ze_result_t get_properties(ze_kernel_properties_t* properties) override;
  ze_result_t get_name(size_t* size, char* name) override;
  ze_result_t get_module_handle(ze_module_handle_t* module) override;
  ze_result_t set_global_offset_exp(uint32_t x, uint32_t y, uint32_t z) override;
  ze_result_t scheduling_hint_exp(ze_scheduling_hint_exp_desc_t*) override { return ZE_RESULT_SUCCESS; }
  ze_result_t get_allocation_properties_exp(uint32_t* count,
                                            ze_kernel_allocation_exp_properties_t* properties) override;
  ze_result_t get_binary_exp(size_t* size, uint8_t* binary) override;

private:
  void set_value(const compiler::ArgumentInfo& argument, uint32_t index, size_t size, const void* value);
  void set_local(uint32_t index, size_t size);
  void set_object(const compiler::ArgumentInfo& argument, uint32_t index, size_t size, const void* value,
                  const void* (*content)(void* handle));
  void mark_set(uint32_t index);
  void lay_out_local();
  void update_shape();

  CpuModule& module_;
  const compiler::KernelInfo& info_;
  KernelCode& code_;
  std::vector<std::uint8_t> arguments_;
  std::vector<std::size_t> local_sizes_; // by argument, 0 where it is not local
  std::vector<void*> handles_;           // by argument, null where it is no object
  std::vector<bool> needs_value_;        // by argument
  std::size_t unset_ = 0;
  zeroth_launch launch_{};
  LaunchShape shape_;
  ze_kernel_indirect_access_flags_t indirect_ = 0;
};

} // namespace zeroth::cpu
