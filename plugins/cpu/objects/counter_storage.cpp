#include "counter_storage.hpp"

#include "../memory/heap.hpp"
#include "chain.hpp"

#include <sdk/error.hpp>

#include <new>
#include <sys/mman.h>

namespace zeroth::cpu {

namespace {

std::atomic<std::uint64_t>& word_at(std::uint64_t* address) {
  static_assert(sizeof(std::atomic<std::uint64_t>) == sizeof(std::uint64_t));
  return *reinterpret_cast<std::atomic<std::uint64_t>*>(address);
}

void check_word(const std::uint64_t* address, std::uint64_t completion) {
  if (!address || reinterpret_cast<std::uintptr_t>(address) % sizeof(std::uint64_t))
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "a counter of 8 bytes cannot be at {}",
                static_cast<const void*>(address));
  if (completion > SharedCounter::Largest)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "completion value {} is beyond {}", completion,
                SharedCounter::Largest);
}

// The device's own or the program's: there must be some.
void check_mapped(const std::uint64_t* address) {
  unsigned char resident;
  const auto page = reinterpret_cast<std::uintptr_t>(address) / base_page_size() * base_page_size();
  if (mincore(reinterpret_cast<void*>(page), 1, &resident) != 0)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "there is no memory at {}", static_cast<const void*>(address));
}

// Device memory, the specification says; that the address is any of the heap's is what can be checked.
void check_known(const Heap& heap, const std::uint64_t* address) {
  const Allocation found = heap.find(address);
  const auto* end = static_cast<const std::byte*>(found.base) + found.size;
  if (!found || reinterpret_cast<const std::byte*>(address + 1) > end)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} is in no allocation", static_cast<const void*>(address));
}

} // namespace

CounterStoragePtr program_storage(const void* chain, const Heap& heap) {
  auto* sync = find_in_chain<ze_event_counter_based_external_sync_allocation_desc_t>(
      chain, ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_SYNC_ALLOCATION_DESC);
  auto* sum = find_in_chain<ze_event_counter_based_external_aggregate_storage_desc_t>(
      chain, ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_AGGREGATE_STORAGE_DESC);
  if (sync && sum) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("one event over two storages"));
  if (sync) { // two views of one word
    check_word(sync->deviceAddress, sync->completionValue);
    check_word(sync->hostAddress, sync->completionValue);
    check_mapped(sync->hostAddress);
    return CounterStoragePtr(new ProgramWord(word_at(sync->hostAddress), sync->completionValue));
  }
  if (!sum) return nullptr;
  check_word(sum->deviceAddress, sum->completionValue);
  check_known(heap, sum->deviceAddress);
  if (sum->incrementValue == 0)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("an event whose signals add 0 never completes"));
  return CounterStoragePtr(new ProgramSum(word_at(sum->deviceAddress), sum->incrementValue, sum->completionValue));
}

CounterStorage::State ProgramWord::wait_point(WaitPoint& point) const {
  if (replaced_.load(std::memory_order_acquire)) return State::List;
  point = WaitPoint::at(word_, completion_, false);
  return State::Here;
}

ProgramSum::ProgramSum(std::atomic<std::uint64_t>& word, std::uint64_t increment, std::uint64_t completion)
    : completion_(completion) {
  add_.kind = Effect::Kind::Add;
  add_.word = &word;
  add_.value = increment;
  add_.owner = this;
}

CounterStorage::State ProgramSum::wait_point(WaitPoint& point) const {
  point = WaitPoint::at(*add_.word, completion_, false);
  return State::Here;
}

const Effect* ProgramSum::next_signal() {
  hold();
  return &add_;
}

SharedCounter::SharedCounter(ze_event_counter_based_flags_t flags)
    : flags_(flags), exported_(std::make_unique<ExportedFile>(Words * sizeof(std::uint64_t), 1)),
      effects_(std::make_unique<std::array<Effect, Ring>>()) {
  map(exported_->file());
}

SharedCounter::SharedCounter(const IpcHandle& handle, const Descriptor& file, std::uint64_t flags)
    : flags_(static_cast<ze_event_counter_based_flags_t>(flags)), fixed_(handle.extra) {
  map(file.number());
  if (follows()) effects_ = std::make_unique<std::array<Effect, Ring>>();
}

SharedCounter::~SharedCounter() {
  Watch::forget(words_, Words * sizeof(std::uint64_t));
  munmap(static_cast<void*>(words_), Words * sizeof(std::uint64_t));
}

void SharedCounter::map(int file) {
  void* page = mmap(nullptr, Words * sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (page == MAP_FAILED) throw std::bad_alloc();
  words_ = static_cast<std::atomic<std::uint64_t>*>(page);
}

IpcHandle SharedCounter::export_state() {
  if (opened()) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the event came from another process"));
  const std::uint64_t latest = words_[0].load(std::memory_order_acquire);
  if (latest == 0 && !follows())
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("no command signals the event yet"));
  IpcHandle handle = exported_->get(IpcKind::CounterEvent, 0, {1, 0, exported_->bytes(), flags_}, false);
  handle.extra = follows() ? 0 : latest;
  return handle;
}

CounterStorage::State SharedCounter::wait_point(WaitPoint& point) const {
  const std::uint64_t number = fixed_ ? fixed_ : words_[0].load(std::memory_order_acquire);
  if (number == 0) return State::Nothing;
  if (number == own_.load(std::memory_order_acquire)) return State::List;
  point = WaitPoint::at(ended(number), number, true);
  return State::Here;
}

void SharedCounter::check_signal() const {
  if (!effects_)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the event was opened for waiting, not for signalling"));
}

const Effect* SharedCounter::next_signal() {
  const std::uint64_t number = words_[0].fetch_add(1, std::memory_order_acq_rel) + 1;
  own_.store(number, std::memory_order_release);
  Effect& made = (*effects_)[number % Ring];
  made.kind = Effect::Kind::Publish;
  made.word = &ended(number);
  made.value = number;
  made.owner = this;
  hold();
  return &made;
}

} // namespace zeroth::cpu
