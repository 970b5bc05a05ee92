// What a list keeps of its append calls beside the commands that it made of them: the parameters, with copies of all
// that they point at, and the state of each launched kernel. From it a list is cloned, shown to a walk, and changed in
// place.
//
// Threads: as the list. Ownership: everything lives until the list is reset or destroyed.
#pragma once
#include "kernel.hpp"

#include "../commands/arena.hpp"

#include <sdk/zeroth_command.h>

#include <deque>
#include <memory>
#include <span>

namespace zeroth::cpu {

// Of the handle in the parameters of every launch of one kernel.
constexpr std::size_t PlaceOfKernel = offsetof(zeroth_append_launch_kernel, hKernel);

struct RecordedCommand {
  zeroth_command shown{};
  std::vector<zeroth_recorded_kernel> shown_kernels;
  std::vector<std::unique_ptr<CpuKernel>> kernels; // as they were
  Command* command = nullptr;                      // the last one that the call made
  std::size_t signal = 0;                          // number of its signal in the list, if it has one
  void* arguments = nullptr;                       // of a launch that was changed; room for argument_room bytes
  std::size_t argument_room = 0;
  bool single = false; // and the only one

  // Of the parameters, which are the list's own copy.
  template <class T> T& member(std::int32_t offset) {
    return *reinterpret_cast<T*>(static_cast<std::byte*>(const_cast<void*>(shown.params)) + offset);
  }
};

class Recording {
public:
  // Copies that live as long as the recording; null stays null.
  template <class T> T* kept(T* from, std::size_t count) {
    if (!from) return nullptr;
    using Plain = std::remove_const_t<T>;
    auto* copy = static_cast<Plain*>(copies_.allocate(std::max(count * sizeof(Plain), std::size_t{1})));
    std::memcpy(static_cast<void*>(copy), from, count * sizeof(Plain));
    return copy;
  }
  const void* kept_bytes(const void* from, std::size_t size) { return kept(static_cast<const std::byte*>(from), size); }
  // Of the structures that mean something to a launch.
  const void* kept_chain(const void* chain);

  // Begins a new command with the kernels of its call.
  RecordedCommand& begin(std::uint32_t code, std::span<const ze_kernel_handle_t> kernels);
  // The values of its first kernel as an array for zeCommandListAppendLaunchKernelWithArguments.
  // Written to `room`, if there is some.
  void** argument_values(const RecordedCommand& command, void** room = nullptr);
  // Shows the kernel's state anew after a change of it, under this handle: what is shown is what would run.
  void show(RecordedCommand& command, std::size_t kernel, ze_kernel_handle_t handle);

  std::deque<RecordedCommand>& commands() { return commands_; }
  RecordedCommand* find(zeroth_command_id id) { return id - 1 < commands_.size() ? &commands_[id - 1] : nullptr; }
  void clear();

private:
  void refresh(RecordedCommand& command, std::size_t kernel, ze_kernel_handle_t handle);

  ListArena copies_;
  std::deque<RecordedCommand> commands_; // the id of one is its place, from 1
};

} // namespace zeroth::cpu
