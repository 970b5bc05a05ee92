// For tests and benchmarks beside the code: a module whose kernels are C++ functions, and handles that go away by
// themselves. Everything is called through the API's own tables, as a loader would.
#pragma once
#include "command_list.hpp"
#include "command_queue.hpp"
#include "device.hpp"
#include "module.hpp"

#include <zeroth/api/tables.hpp>

#include <cstring>
#include <deque>
#include <utility>

namespace zeroth::cpu::testing {

class HandMadeModule final : public compiler::CompiledModule {
public:
  std::vector<compiler::KernelInfo> infos;
  std::vector<compiler::SymbolInfo> symbols;
  std::string log;

  const std::vector<compiler::KernelInfo>& kernels() const override { return infos; }
  std::string failure; // not empty: no kernel can be prepared

  // Other code for a kernel from now on.
  void exchange(std::size_t kernel, const compiler::KernelInfo& code) { slots_.at(kernel).store(&code); }

  const compiler::KernelSlot& prepare(std::size_t kernel) const override {
    if (!failure.empty()) throw compiler::CompileError(compiler::CompileError::Kind::BuildFailure, failure);
    while (slots_.size() < infos.size()) slots_.emplace_back(&infos[slots_.size()]);
    return slots_[kernel];
  }
  const std::vector<compiler::SymbolInfo>& exports() const override { return symbols; }
  const std::vector<compiler::SymbolInfo>& imports() const override { return none_; }
  const std::vector<compiler::SpecConstantInfo>& constants() const override { return constants_; }
  const std::string& build_log() const override { return log; }
  compiler::Bytes native_binary() const override { return {}; }

  // A kernel with `pointers` pointer arguments followed by one 8-byte value.
  compiler::KernelInfo& add(const char* name, zeroth_kernel_fn entry, unsigned pointers) {
    compiler::KernelInfo info;
    info.name = name;
    info.entry = entry;
    for (unsigned i = 0; i <= pointers; ++i) {
      compiler::ArgumentInfo argument;
      argument.kind = i < pointers ? compiler::ArgumentKind::Pointer : compiler::ArgumentKind::Value;
      argument.size = argument.alignment = 8;
      argument.offset = 8 * i;
      info.arguments.push_back(argument);
    }
    info.argument_block_size = 8 * (pointers + 1);
    infos.push_back(info);
    return infos.back();
  }

private:
  mutable std::deque<compiler::KernelSlot> slots_; // infos do not move once kernels are made
  std::vector<compiler::SymbolInfo> none_;
  std::vector<compiler::SpecConstantInfo> constants_;
};

template <class T> T argument(const zeroth_launch* launch, unsigned index) {
  T value;
  std::memcpy(&value, launch->arguments + 8 * index, sizeof value);
  return value;
}

inline ze_dditable_t& ze() { return device::tables().ze; }

inline ze_device_handle_t device() { return to_handle(&CpuDriver::instance().device()); }
inline ze_context_handle_t context() { return CpuDriver::instance().get_default_context(); }

inline ze_command_list_handle_t immediate_list(ze_command_queue_flags_t flags,
                                               ze_command_queue_mode_t mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS) {
  const ze_command_queue_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, flags, mode,
                                     ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  ze_command_list_handle_t list = nullptr;
  ze().CommandList.pfnCreateImmediate(context(), device(), &desc, &list);
  return list;
}

inline ze_command_list_handle_t regular_list(ze_command_list_flags_t flags) {
  const ze_command_list_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, flags};
  ze_command_list_handle_t list = nullptr;
  ze().CommandList.pfnCreate(context(), device(), &desc, &list);
  return list;
}

inline ze_command_queue_handle_t queue() {
  const ze_command_queue_desc_t desc{
      ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
      ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  ze_command_queue_handle_t made = nullptr;
  ze().CommandQueue.pfnCreate(context(), device(), &desc, &made);
  return made;
}

inline ze_event_pool_handle_t event_pool(uint32_t count,
                                         ze_event_pool_flags_t flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE) {
  const ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, flags, count};
  ze_event_pool_handle_t pool = nullptr;
  ze().EventPool.pfnCreate(context(), &desc, 0, nullptr, &pool);
  return pool;
}

inline ze_event_handle_t event(ze_event_pool_handle_t pool, uint32_t index) {
  const ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, index, 0, 0};
  ze_event_handle_t made = nullptr;
  ze().Event.pfnCreate(pool, &desc, &made);
  return made;
}

inline ze_event_handle_t counter_event(ze_event_counter_based_flags_t flags = 0) {
  const ze_event_counter_based_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC, nullptr, flags, 0, 0};
  ze_event_handle_t made = nullptr;
  ze().Event.pfnCounterBasedCreate(context(), device(), &desc, &made);
  return made;
}

} // namespace zeroth::cpu::testing
