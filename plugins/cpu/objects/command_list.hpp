// Command lists. The base class turns each append call into one command; where the command's memory comes from and what
// becomes of it is the business of the class of the list's mode:
//
//   RegularList               keeps commands until reset; a queue or an immediate list executes them
//   ImmediateList<Flow>       gives them to its flow, in order (InOrderFlow) or out of order (OverlapFlow)
//   SynchronousList<Flow>     the same, and executes them on the calling thread before append returns
//
// Threads: one thread at a time appends; waiting and asking is free to all.
#pragma once
#include "../commands/span.hpp"
#include "context.hpp"
#include "event.hpp"
#include "kernel.hpp"

#include <zeroth/device/command_list.hpp>

#include <mutex>
#include <vector>

namespace zeroth::cpu {

class CpuCommandList : public device::CommandList {
public:
  // The mode-dependent part.
  virtual bool immediate() const = 0;
  virtual class RecordedList* recorded() { return nullptr; } // if it keeps its calls

  ze_result_t destroy() override;
  ze_result_t get_device_handle(ze_device_handle_t* device) override;
  ze_result_t get_context_handle(ze_context_handle_t* context) override;
  ze_result_t get_ordinal(uint32_t* ordinal) override;
  ze_result_t is_immediate(ze_bool_t* immediate) override;

  ze_result_t append_barrier(ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_memory_ranges_barrier(uint32_t ranges, const size_t* sizes, const void** starts,
                                           ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_memory_copy(void* to, const void* from, size_t size, ze_event_handle_t signal, uint32_t count,
                                 ze_event_handle_t* waits) override;
  ze_result_t append_memory_copy_with_parameters(void* to, const void* from, size_t size, const void* next,
                                                 ze_event_handle_t signal, uint32_t count,
                                                 ze_event_handle_t* waits) override;
  ze_result_t append_memory_fill(void* to, const void* pattern, size_t pattern_size, size_t size,
                                 ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_memory_fill_with_parameters(void* to, const void* pattern, size_t pattern_size, size_t size,
                                                 const void* next, ze_event_handle_t signal, uint32_t count,
                                                 ze_event_handle_t* waits) override;
  ze_result_t append_memory_copy_region(void* to, const ze_copy_region_t* to_region, uint32_t to_pitch,
                                        uint32_t to_slice, const void* from, const ze_copy_region_t* from_region,
                                        uint32_t from_pitch, uint32_t from_slice, ze_event_handle_t signal,
                                        uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_memory_copy_from_context(void* to, ze_context_handle_t context, const void* from, size_t size,
                                              ze_event_handle_t signal, uint32_t count,
                                              ze_event_handle_t* waits) override;
  // Images (images/command_list_images.cpp).
  ze_result_t append_image_copy(ze_image_handle_t to, ze_image_handle_t from, ze_event_handle_t signal, uint32_t count,
                                ze_event_handle_t* waits) override;
  ze_result_t append_image_copy_region(ze_image_handle_t to, ze_image_handle_t from, const ze_image_region_t* to_region,
                                       const ze_image_region_t* from_region, ze_event_handle_t signal, uint32_t count,
                                       ze_event_handle_t* waits) override;
  ze_result_t append_image_copy_to_memory(void* to, ze_image_handle_t from, const ze_image_region_t* region,
                                          ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_image_copy_from_memory(ze_image_handle_t to, const void* from, const ze_image_region_t* region,
                                            ze_event_handle_t signal, uint32_t count,
                                            ze_event_handle_t* waits) override;
  ze_result_t append_image_copy_to_memory_ext(void* to, ze_image_handle_t from, const ze_image_region_t* region,
                                              uint32_t row_pitch, uint32_t slice_pitch, ze_event_handle_t signal,
                                              uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_image_copy_from_memory_ext(ze_image_handle_t to, const void* from, const ze_image_region_t* region,
                                                uint32_t row_pitch, uint32_t slice_pitch, ze_event_handle_t signal,
                                                uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_memory_prefetch(const void* pointer, size_t size) override;
  ze_result_t append_mem_advise(ze_device_handle_t device, const void* pointer, size_t size,
                                ze_memory_advice_t advice) override;
  ze_result_t append_signal_event(ze_event_handle_t event) override;
  ze_result_t append_signal_event_with_parameters(const void* next, ze_event_handle_t event) override;
  ze_result_t append_wait_on_events(uint32_t count, ze_event_handle_t* events) override;
  ze_result_t append_wait_on_events_with_parameters(const void* next, uint32_t count,
                                                    ze_event_handle_t* events) override;
  ze_result_t append_event_reset(ze_event_handle_t event) override;
  ze_result_t append_write_global_timestamp(uint64_t* to, ze_event_handle_t signal, uint32_t count,
                                            ze_event_handle_t* waits) override;
  ze_result_t append_query_kernel_timestamps(uint32_t events, ze_event_handle_t* handles, void* to,
                                             const size_t* offsets, ze_event_handle_t signal, uint32_t count,
                                             ze_event_handle_t* waits) override;
  ze_result_t append_host_function(ze_host_function_callback_t function, void* data, const void* next,
                                   ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_signal_external_semaphore_ext(uint32_t semaphores, ze_external_semaphore_ext_handle_t* handles,
                                                   ze_external_semaphore_signal_params_ext_t* parameters,
                                                   ze_event_handle_t signal, uint32_t count,
                                                   ze_event_handle_t* waits) override;
  ze_result_t append_wait_external_semaphore_ext(uint32_t semaphores, ze_external_semaphore_ext_handle_t* handles,
                                                 ze_external_semaphore_wait_params_ext_t* parameters,
                                                 ze_event_handle_t signal, uint32_t count,
                                                 ze_event_handle_t* waits) override;
  ze_result_t append_launch_kernel(ze_kernel_handle_t kernel, const ze_group_count_t* groups, ze_event_handle_t signal,
                                   uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_launch_kernel_with_parameters(ze_kernel_handle_t kernel, const ze_group_count_t* groups,
                                                   const void* next, ze_event_handle_t signal, uint32_t count,
                                                   ze_event_handle_t* waits) override;
  ze_result_t append_launch_kernel_with_arguments(ze_kernel_handle_t kernel, const ze_group_count_t groups,
                                                  const ze_group_size_t size, void** arguments, const void* next,
                                                  ze_event_handle_t signal, uint32_t count,
                                                  ze_event_handle_t* waits) override;
  ze_result_t append_launch_cooperative_kernel(ze_kernel_handle_t kernel, const ze_group_count_t* groups,
                                               ze_event_handle_t signal, uint32_t count,
                                               ze_event_handle_t* waits) override;
  ze_result_t append_launch_kernel_indirect(ze_kernel_handle_t kernel, const ze_group_count_t* groups,
                                            ze_event_handle_t signal, uint32_t count,
                                            ze_event_handle_t* waits) override;
  ze_result_t append_launch_multiple_kernels_indirect(uint32_t kernels, ze_kernel_handle_t* handles,
                                                      const uint32_t* kernel_count, const ze_group_count_t* groups,
                                                      ze_event_handle_t signal, uint32_t count,
                                                      ze_event_handle_t* waits) override;

protected:
  // Memory of one command under construction.
  struct Room {
    void* command;
    std::byte* extra; // 64-byte aligned
    WaitPoint* waits;
    CommandBlock* block; // to be given to the command
  };
  // What a call says about events.
  struct Sync {
    ze_event_handle_t signal = nullptr;
    uint32_t count = 0;
    ze_event_handle_t* waits = nullptr;
  };

  CpuCommandList(CpuContext& context, ze_device_handle_t device, uint32_t ordinal)
      : context_(context), device_(device), ordinal_(ordinal) {}

  // Throws when the list's queue group takes no kernels.
  void check_computes() const;
  // Throws when the list takes no commands.
  virtual void check_open() const {}
  // 64-byte aligned. Then comes commit(), or abandon() if the command cannot be made.
  virtual void* allocate(std::size_t bytes, CommandBlock*& block) = 0;
  virtual void abandon(CommandBlock*) noexcept {}
  // Takes the finished command; `signal` may be null.
  virtual void commit(Command& command, CpuEvent* signal) = 0;

  static bool asks_for_cooperation(const void* chain);
  // Writes a launch anew where it stands, with the kernel's present state; what hangs on the command stays. `arguments`
  // has room for them. Throws Error as an append would; then nothing has changed.
  void relaunch(Command& command, const CpuKernel& kernel, const ze_group_count_t& groups, void* arguments,
                bool cooperative);
  // The points to wait for, `room` for as many as there are events.
  void write_waits(Command& command, WaitPoint* room, uint32_t count, const ze_event_handle_t* events) const;
  static void write_signal(Command& command, CpuEvent* signal);

  Room reserve(std::size_t command_bytes, std::size_t extra_bytes, uint32_t wait_count);
  void finish(Command& command, const Room& room, const Sync& sync);
  template <class C, class... Arguments> ze_result_t record(const Sync& sync, Arguments&&... arguments) {
    const Room room = reserve(sizeof(C), 0, sync.count);
    finish(*new (room.command) C(std::forward<Arguments>(arguments)...), room, sync);
    return ZE_RESULT_SUCCESS;
  }
  // What `append_all` appends behaves as one command: all of it waits, the end of all signals, and the event has the
  // times of all. Throws Error before anything is appended if the event cannot be signalled from here.
  template <class AppendAll> ze_result_t record_several(const Sync& sync, AppendAll append_all);
  // Throws Error if the event cannot be signalled from here.
  void check_signal(const CpuEvent& signal) const;

  CpuContext& context_;
  const ze_device_handle_t device_;
  const uint32_t ordinal_;
  const Timeline* own_timeline_ = nullptr; // of a list in order: waiting on it is never needed
  bool takes_counter_events_ = false;

private:
  SpanBeginCommand& begin_span(const Sync& sync, bool timed);
  template <class C, class Parameters>
  ze_result_t append_semaphores(uint32_t count, ze_external_semaphore_ext_handle_t* semaphores,
                                const Parameters* parameters, const Sync& sync);
  template <class C> ze_result_t launch(CpuKernel& kernel, const ze_group_count_t& groups, const Sync& sync);
  ze_result_t launch_indirect(CpuKernel& kernel, const ze_group_count_t* groups, const uint32_t* enabled,
                              uint32_t index, const Sync& sync);
};

template <class AppendAll> ze_result_t CpuCommandList::record_several(const Sync& sync, AppendAll append_all) {
  auto* const signal = from_handle<CpuEvent>(sync.signal);
  if (signal) check_signal(*signal);
  const bool timed = signal && signal->cell().timed.load(std::memory_order_relaxed);
  // A call that was recorded makes the same commands when it is made again, whatever its event is then.
  if (!timed && (immediate() || !signal)) {
    if (sync.count) record<BarrierCommand>({nullptr, sync.count, sync.waits});
    append_all();
    return signal ? record<BarrierCommand>({sync.signal}) : ZE_RESULT_SUCCESS;
  }
  SpanBeginCommand& begin = begin_span(sync, timed);
  KeptBlock block(begin.kept());
  append_all();
  record<SpanEndCommand>({sync.signal}, begin);
  block.leave();
  return ZE_RESULT_SUCCESS;
}

// zeCommandListCreate and zeCommandListCreateImmediate.
CpuCommandList* make_regular_list(CpuContext& context, ze_device_handle_t device, const ze_command_list_desc_t& desc);
CpuCommandList* make_immediate_list(CpuContext& context, ze_device_handle_t device,
                                    const ze_command_queue_desc_t& desc);

} // namespace zeroth::cpu
