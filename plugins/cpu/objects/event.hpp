// Events and their pools. A regular event is one signal word in its pool's storage. A counter-based one holds no state
// of its own but points at the progress of the list that signalled it last, so that it can be signalled again without
// reset; or it has a storage that says more (counter_storage.hpp). An event of a pool for several processes has its
// signal and times in memory that they share.
//
// Threads: as the API says. Ownership: the pool owns the storage of its events; the program keeps the pool alive.
#pragma once
#include "../commands/command.hpp"
#include "../commands/flow.hpp"
#include "counter_storage.hpp"
#include "event_memory.hpp"

#include <zeroth/device/event.hpp>
#include <zeroth/device/event_pool.hpp>

#include <cstdlib>
#include <memory>

namespace zeroth::cpu {

class CpuContext;
class CpuEventPool;

class CpuEvent final : public device::Event {
public:
  struct Kind {
    bool counter_based = false;
    bool timed = false;
    ze_event_counter_based_flags_t flags = 0;
  };

  // `cell`: where signal and times are; null: in the event itself.
  CpuEvent(CpuEventPool* pool, Executor& executor, Kind kind, ze_event_scope_flags_t signal,
           ze_event_scope_flags_t wait, EventCell* cell, CounterStoragePtr storage = nullptr);
  ~CpuEvent() override;

  // Memory of events is used for other events and nothing else: see SyncWord.
  static void* operator new(std::size_t size);
  static void* operator new(std::size_t, void* place) { return place; }
  static void operator delete(void* event) noexcept;

  // A number that no event which lived in this memory before had; memory of events stays readable.
  std::uint32_t birth() const { return birth_.load(std::memory_order_relaxed); }
  bool counter_based() const { return kind_.counter_based; }
  EventCell& cell() { return cell_; }
  CounterStorage* storage() const { return storage_.get(); } // mostly null
  // A counter-based event that was given to a command has the times of that one, whenever earlier ones end.
  void take_times_of(Command& command);

  // What a command that is appended now has to wait for. False: nothing.
  bool wait_point(WaitPoint& point) const;
  // A command that is about to be appended signals this event when `timeline` reaches `number`.
  void will_be_signalled_by(Timeline& timeline, std::uint64_t number);
  // A host thread that waits may help this flow up to its `number`-th command. Two threads that append at once may
  // leave one's flow and the other's number: then a helper does too little, or too much.
  void produced_by(Flow& flow, std::uint64_t number) {
    producer_.store(&flow, std::memory_order_relaxed);
    produced_at_.store(number, std::memory_order_relaxed);
  }

  ze_result_t destroy() override;
  ze_result_t host_signal() override;
  ze_result_t host_synchronize(uint64_t timeout) override;
  ze_result_t query_status() override;
  ze_result_t host_reset() override;
  ze_result_t query_kernel_timestamp(ze_kernel_timestamp_result_t* result) override;
  ze_result_t get_event_pool(ze_event_pool_handle_t* pool) override;
  ze_result_t get_signal_scope(ze_event_scope_flags_t* scope) override;
  ze_result_t get_wait_scope(ze_event_scope_flags_t* scope) override;
  ze_result_t get_counter_based_flags(ze_event_counter_based_flags_t* flags) override;
  ze_result_t counter_based_get_device_address(uint64_t* value, uint64_t* address) override;
  ze_result_t counter_based_get_ipc_handle(ze_ipc_event_counter_based_handle_t* handle) override;
  ze_result_t counter_based_close_ipc_handle() override;
  ze_result_t query_timestamps_exp(ze_device_handle_t device, uint32_t* count,
                                   ze_kernel_timestamp_result_t* results) override;
  ze_result_t query_kernel_timestamps_ext(ze_device_handle_t device, uint32_t* count,
                                          ze_event_query_kernel_timestamps_results_ext_properties_t* results) override;

private:
  bool signalled() const;
  void refuse_counter_based(const char* what) const;

  EventCell own_cell_;
  EventCell& cell_;
  CounterStoragePtr storage_;
  std::atomic<std::uint32_t> birth_{0};
  std::atomic<Flow*> producer_{nullptr};
  std::atomic<std::uint64_t> produced_at_{0};
  std::atomic<Timeline*> timeline_{nullptr}; // of the last signalling list, counter-based only
  std::atomic<std::uint64_t> value_{0};      // Changing while the pair is written
  CpuEventPool* const pool_;                 // null: made without one
  Executor& executor_;
  const Kind kind_;
  const ze_event_scope_flags_t signal_scope_, wait_scope_;

  static constexpr std::uint64_t Changing = ~std::uint64_t{0};
};

class CpuEventPool final : public device::EventPool {
public:
  CpuEventPool(CpuContext& context, Executor& executor, const ze_event_pool_desc_t& desc);
  // One of another process.
  CpuEventPool(CpuContext& context, Executor& executor, const IpcHandle& handle, const Descriptor& file);
  ~CpuEventPool() override;

  void give_back(CpuEvent& event);

  ze_result_t destroy() override;
  ze_result_t event_create(const ze_event_desc_t* desc, ze_event_handle_t* event) override;
  ze_result_t get_context_handle(ze_context_handle_t* context) override;
  ze_result_t get_flags(ze_event_pool_flags_t* flags) override;
  ze_result_t get_ipc_handle(ze_ipc_event_pool_handle_t* handle) override;
  ze_result_t close_ipc_handle() override;

private:
  struct Place {
    alignas(CpuEvent) std::byte storage[sizeof(CpuEvent)];
    bool taken = false, used = false; // used: has held an event
    std::uint32_t signals = 0;        // of a shared cell, when its last event here went
  };
  struct alignas(64) SharedPlace {
    EventCell cell;
  };

  void make_places();
  void map_shared(int file);

  CpuContext& context_;
  Executor& executor_;
  const ze_event_pool_flags_t flags_;
  const uint32_t count_;
  CpuEvent::Kind kind_;
  struct GiveBack {
    std::size_t size;
    void operator()(Place* places) const { event_memory::give_back(places, size); }
  };
  std::unique_ptr<Place[], GiveBack> places_; // all zero: pages come when an event is made
  std::unique_ptr<ExportedFile> exported_;
  SharedPlace* shared_ = nullptr; // mapped: the cells of a pool for several processes
};

} // namespace zeroth::cpu
