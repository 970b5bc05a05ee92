// A regular list that also keeps its append calls: one that was created to be cloned, or to be changed or visited
// later. Others save themselves the copies.
#pragma once
#include "recording.hpp"
#include "regular_list.hpp"

namespace zeroth::cpu {

class RecordedList final : public RegularList {
public:
  using RegularList::RegularList;
  // Does this descriptor ask for such a list?
  static bool wanted(const ze_command_list_desc_t& desc);

  RecordedList* recorded() override { return this; }
  bool complete() const override { return unfinished_ == 0; }

  ze_result_t walk(zeroth_command_visitor visitor, void* user);

  // The functions of command_patch; they throw Error.
  zeroth_command_id last_command();
  void set_argument(zeroth_command_id id, uint32_t index, size_t size, const void* value);
  void set_group_count(zeroth_command_id id, const ze_group_count_t& count);
  void set_group_size(zeroth_command_id id, const uint32_t size[3]);
  void set_global_offset(zeroth_command_id id, const uint32_t offset[3]);
  void set_signal_event(zeroth_command_id id, ze_event_handle_t event);
  void set_wait_events(zeroth_command_id id, uint32_t count, const ze_event_handle_t* events);
  void set_kernel(zeroth_command_id id, ze_kernel_handle_t kernel);

  ze_result_t reset() override;
  ze_result_t create_clone_exp(ze_command_list_handle_t* clone) override;

  ze_result_t append_barrier(ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_memory_ranges_barrier(uint32_t ranges, const size_t* sizes, const void** starts,
                                           ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_memory_copy(void* to, const void* from, size_t size, ze_event_handle_t signal, uint32_t count,
                                 ze_event_handle_t* waits) override;
  ze_result_t append_memory_copy_with_parameters(void* to, const void* from, size_t size, const void* next,
                                                 ze_event_handle_t signal, uint32_t count,
                                                 ze_event_handle_t* waits) override;
  ze_result_t append_memory_fill(void* pointer, const void* pattern, size_t pattern_size, size_t size,
                                 ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_memory_fill_with_parameters(void* pointer, const void* pattern, size_t pattern_size, size_t size,
                                                 const void* next, ze_event_handle_t signal, uint32_t count,
                                                 ze_event_handle_t* waits) override;
  ze_result_t append_memory_copy_region(void* to, const ze_copy_region_t* to_region, uint32_t to_pitch,
                                        uint32_t to_slice, const void* from, const ze_copy_region_t* from_region,
                                        uint32_t from_pitch, uint32_t from_slice, ze_event_handle_t signal,
                                        uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_memory_copy_from_context(void* to, ze_context_handle_t context, const void* from, size_t size,
                                              ze_event_handle_t signal, uint32_t count,
                                              ze_event_handle_t* waits) override;
  ze_result_t append_image_copy(ze_image_handle_t image_to, ze_image_handle_t image_from, ze_event_handle_t signal,
                                uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_image_copy_region(ze_image_handle_t image_to, ze_image_handle_t image_from,
                                       const ze_image_region_t* to_region, const ze_image_region_t* from_region,
                                       ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_image_copy_to_memory(void* to, ze_image_handle_t image_from, const ze_image_region_t* from_region,
                                          ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_image_copy_from_memory(ze_image_handle_t image_to, const void* from,
                                            const ze_image_region_t* to_region, ze_event_handle_t signal,
                                            uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_image_copy_to_memory_ext(void* to, ze_image_handle_t image_from,
                                              const ze_image_region_t* from_region, uint32_t to_pitch,
                                              uint32_t to_slice, ze_event_handle_t signal, uint32_t count,
                                              ze_event_handle_t* waits) override;
  ze_result_t append_image_copy_from_memory_ext(ze_image_handle_t image_to, const void* from,
                                                const ze_image_region_t* to_region, uint32_t from_pitch,
                                                uint32_t from_slice, ze_event_handle_t signal, uint32_t count,
                                                ze_event_handle_t* waits) override;
  ze_result_t append_memory_prefetch(const void* pointer, size_t size) override;
  ze_result_t append_mem_advise(ze_device_handle_t device, const void* pointer, size_t size,
                                ze_memory_advice_t advice) override;
  ze_result_t append_signal_event(ze_event_handle_t event) override;
  ze_result_t append_signal_event_with_parameters(const void* next, ze_event_handle_t event) override;
  ze_result_t append_wait_on_events(uint32_t events, ze_event_handle_t* handles) override;
  ze_result_t append_wait_on_events_with_parameters(const void* next, uint32_t events,
                                                    ze_event_handle_t* handles) override;
  ze_result_t append_event_reset(ze_event_handle_t event) override;
  ze_result_t append_write_global_timestamp(uint64_t* to, ze_event_handle_t signal, uint32_t count,
                                            ze_event_handle_t* waits) override;
  ze_result_t append_query_kernel_timestamps(uint32_t events, ze_event_handle_t* handles, void* to,
                                             const size_t* offsets, ze_event_handle_t signal, uint32_t count,
                                             ze_event_handle_t* waits) override;
  ze_result_t append_host_function(ze_host_function_callback_t function, void* data, const void* next,
                                   ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_launch_kernel(ze_kernel_handle_t kernel, const ze_group_count_t* groups, ze_event_handle_t signal,
                                   uint32_t count, ze_event_handle_t* waits) override;
  ze_result_t append_launch_kernel_with_parameters(ze_kernel_handle_t kernel, const ze_group_count_t* groups,
                                                   const void* next, ze_event_handle_t signal, uint32_t count,
                                                   ze_event_handle_t* waits) override;
  ze_result_t append_launch_kernel_with_arguments(ze_kernel_handle_t kernel, const ze_group_count_t groups,
                                                  const ze_group_size_t sizes, void** arguments, const void* next,
                                                  ze_event_handle_t signal, uint32_t count,
                                                  ze_event_handle_t* waits) override;
  ze_result_t append_launch_cooperative_kernel(ze_kernel_handle_t kernel, const ze_group_count_t* groups,
                                               ze_event_handle_t signal, uint32_t count,
                                               ze_event_handle_t* waits) override;
  ze_result_t append_launch_kernel_indirect(ze_kernel_handle_t kernel, const ze_group_count_t* groups,
                                            ze_event_handle_t signal, uint32_t count,
                                            ze_event_handle_t* waits) override;
  ze_result_t append_launch_multiple_kernels_indirect(uint32_t kernels, ze_kernel_handle_t* handles,
                                                      const uint32_t* launches, const ze_group_count_t* groups,
                                                      ze_event_handle_t signal, uint32_t count,
                                                      ze_event_handle_t* waits) override;

private:
  // Calls the list's own append, which may call others, and records the outermost one that succeeds.
  template <class Append, class Parameters>
  ze_result_t record(std::uint32_t code, std::span<const ze_kernel_handle_t> kernels, Append append,
                     Parameters parameters);
  // From another list's recording.
  ze_result_t append_again(RecordedCommand& recorded);
  ze_result_t launch_again(const zeroth_append_launch_kernel_with_arguments& call, CpuKernel& kernel);
  void show_handles(RecordedCommand& of, const RecordedCommand& recorded);
  template <class T> T* kept(T* from, std::size_t count) { return recording_.kept(from, count); }
  const void* kept_bytes(const void* from, std::size_t size) { return recording_.kept_bytes(from, size); }
  const void* kept_chain(const void* chain) { return recording_.kept_chain(chain); }
  void** kept_arguments() { return recording_.argument_values(recording_.commands().back()); }

  RecordedCommand& patchable(zeroth_command_id id);
  RecordedCommand& patchable_launch(zeroth_command_id id);
  void rebuild(RecordedCommand& recorded);

  Recording recording_;
  int depth_ = 0;
  std::size_t unfinished_ = 0; // launches whose new kernel lacks arguments
};

template <class Append, class Parameters>
ze_result_t RecordedList::record(std::uint32_t code, std::span<const ze_kernel_handle_t> kernels, Append append,
                                 Parameters parameters) {
  struct Level {
    explicit Level(int& depth) : depth(depth) { ++depth; }
    ~Level() { --depth; }
    int& depth;
  } level(depth_);
  Command* const before = last();
  const ze_result_t result = append();
  if (result != ZE_RESULT_SUCCESS || depth_ != 1) return result;
  RecordedCommand& recorded = recording_.begin(code, kernels);
  auto own = parameters();
  recorded.shown.params = kept(&own, 1);
  recorded.command = last();
  recorded.signal = signal_count() - 1; // its own, where it has one
  recorded.single = before ? before->next.load(std::memory_order_relaxed) == last() : first() == last();
  return result;
}

} // namespace zeroth::cpu
