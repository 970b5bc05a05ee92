// Where the state of a counter-based event lives when it is more than "command n of list L".
//
//   ProgramCounter   a word of the program's: reached when it is at least the completion value, whoever wrote it
//   SharedCounter    a page that several processes map
//
// Threads: as events. Ownership: the event owns its storage; effects live as long as it does.
#pragma once
#include "../commands/command.hpp"
#include "../share/exported_file.hpp"

#include <level_zero/ze_api.h>

#include <array>
#include <memory>

namespace zeroth::cpu {

class Heap;

class CounterStorage {
public:
  virtual ~CounterStorage() = default;

  enum class State { Nothing, Here, List }; // List: the command that was appended last in this process
  virtual State wait_point(WaitPoint& point) const = 0;
  // Throws Error if this event cannot be signalled.
  virtual void check_signal() const {}
  // A command that is submitted now will signal: what its end does. Only after check_signal().
  virtual const Effect* next_signal() = 0;
  virtual bool numbers_signals() const { return false; } // else all are the same
};

class ProgramCounter final : public CounterStorage {
public:
  // From the chain of a descriptor, or null where it has none. Throws Error for storage that cannot serve.
  static std::unique_ptr<ProgramCounter> from_chain(const void* chain, const Heap& heap);

  ProgramCounter(Effect on_signal, std::uint64_t completion) : on_signal_(on_signal), completion_(completion) {}
  State wait_point(WaitPoint& point) const override;
  const Effect* next_signal() override { return &on_signal_; }

private:
  const Effect on_signal_;
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
