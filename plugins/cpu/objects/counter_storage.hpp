// Where the state of a counter-based event lives when it is more than "command n of list L".
//
//   ProgramWord      a word that the program writes, until a command is to signal the event
//   ProgramSum       a word of the program's to which each signal adds
//   SharedCounter    a page that several processes map
//
// Threads: as events. Ownership: the event and the effects to come share it.
#pragma once
#include "../commands/command.hpp"
#include "../share/exported_file.hpp"

#include <level_zero/ze_api.h>

#include <array>
#include <memory>

namespace zeroth::cpu {

class Heap;

class CounterStorage : public EffectOwner {
public:
  enum class State { Nothing, Here, List }; // List: the command that was appended last in this process
  virtual State wait_point(WaitPoint& point) const = 0;
  // Throws Error if this event cannot be signalled.
  virtual void check_signal() const {}
  // A command that is submitted now will signal: what its end does, or null for nothing. Only after check_signal().
  // The effect holds the storage.
  virtual const Effect* next_signal() { return nullptr; }
  // The event stands for a command from now on.
  virtual void stand_for_command() {}
  virtual bool numbers_signals() const { return false; } // else all are the same
};

struct ReleaseStorage {
  void operator()(CounterStorage* storage) const { storage->release(); }
};
using CounterStoragePtr = std::unique_ptr<CounterStorage, ReleaseStorage>;

// From the chain of a descriptor, or null where it has none. Throws Error for storage that cannot serve.
CounterStoragePtr program_storage(const void* chain, const Heap& heap);

// Complete when the word is at least the completion value. To be signalled by a command means to be that command's.
class ProgramWord final : public CounterStorage {
public:
  ProgramWord(std::atomic<std::uint64_t>& word, std::uint64_t completion) : word_(word), completion_(completion) {}
  State wait_point(WaitPoint& point) const override;
  void stand_for_command() override { replaced_.store(true, std::memory_order_release); }

private:
  std::atomic<std::uint64_t>& word_;
  const std::uint64_t completion_;
  std::atomic<bool> replaced_{false};
};

class ProgramSum final : public CounterStorage {
public:
  ProgramSum(std::atomic<std::uint64_t>& word, std::uint64_t increment, std::uint64_t completion);
  State wait_point(WaitPoint& point) const override;
  const Effect* next_signal() override;

private:
  Effect add_;
  const std::uint64_t completion_;
};

// The page: how many signals were appended, and a ring in which the n-th puts its number when it has ended. An entry is
// used again 511 signals later, so a wait for one that is still pending then ends early; no program has that many of
// one event in flight.
class SharedCounter final : public CounterStorage {
public:
  explicit SharedCounter(ze_event_counter_based_flags_t flags);                        // throws std::bad_alloc
  SharedCounter(const IpcHandle& handle, const Descriptor& file, std::uint64_t flags); // of another process
  ~SharedCounter() override;

  static constexpr std::uint64_t Largest = ~std::uint64_t{0} >> 1;
  bool opened() const { return !exported_; }
  ze_event_counter_based_flags_t flags() const { return flags_; }
  IpcHandle export_state(); // throws Error where there is none yet

  State wait_point(WaitPoint& point) const override;
  void check_signal() const override;
  const Effect* next_signal() override;
  bool numbers_signals() const override { return true; }

private:
  static constexpr std::size_t Words = 512, Ring = Words - 1;
  static_assert(Ring == SignalQueue::Size);
  bool follows() const { return flags_ & ZE_EVENT_COUNTER_BASED_FLAG_IPC_BIDIRECTIONAL; }
  std::atomic<std::uint64_t>& ended(std::uint64_t number) const { return words_[1 + number % Ring]; }
  void map(int file);

  const ze_event_counter_based_flags_t flags_;
  std::unique_ptr<ExportedFile> exported_; // null: opened
  std::atomic<std::uint64_t>* words_ = nullptr;
  std::uint64_t fixed_ = 0;           // the captured signal, when opened without the bidirectional flag
  std::atomic<std::uint64_t> own_{0}; // the last signal that this process appended
  std::unique_ptr<std::array<Effect, Ring>> effects_;
};

} // namespace zeroth::cpu
