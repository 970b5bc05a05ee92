// A one-shot signal in one word: what events and fences are made of.
//
// The word holds a bit "signalled", a bit "a host thread sleeps", and the head of a stack of waiters. signal() takes
// them all in one exchange and touches the word no more: a thread that sees the signal may destroy the word at once.
//
// Threads: everything from any thread; destroy and reset only when nobody waits. The API demands that of programs, and
// not all of them comply: so a word has a life, a number that changes when another event takes its place, and whoever
// comes late for an event that is gone neither waits for its successor nor signals it. That asks for memory which
// stays.
#pragma once
#include "clock.hpp"

#include <atomic>

namespace zeroth::cpu {

// Something that goes on when a signal comes. Owned by whoever registered it; registered in one place at a time.
class Waiter {
public:
  virtual void released() = 0; // on the signalling thread; must not run kernels
  Waiter* next_waiter = nullptr;
  std::uint64_t awaited = 0; // Timeline: the value; SyncWord: the life

protected:
  ~Waiter() = default;
};

class SyncWord {
public:
  bool signalled() const { return word_.load(std::memory_order_acquire) & Signalled; }

  void signal();
  void reset() { word_.fetch_and(~Signalled, std::memory_order_acq_rel); }

  // A number for an event that moves in; 0 when it moves out.
  std::uint32_t life() const { return life_.load(std::memory_order_relaxed); }
  void begin_life();
  void end_life() { life_.store(0, std::memory_order_relaxed); }

  // False if already signalled. True: `waiter` was registered, will be or has been released; the caller lets go of it.
  // It is never released if the life is not, or no longer, that one.
  bool await(Waiter& waiter, std::uint32_t life = 0);

  // Sleeps until signalled or the deadline; true if signalled. Does not spin.
  bool sleep_until(std::uint64_t deadline);

  // A word in memory that several processes map: it holds no waiters, they are those of each process's Watch.
  void signal_shared();
  std::atomic<std::uint64_t>& shared_word() { return word_; }
  // Signalled? If not, the word now says that somebody sleeps on it.
  static bool signalled_or_mark(std::atomic<std::uint64_t>& word);

private:
  static constexpr std::uint64_t Signalled = 1, Sleepers = 2, Flags = Signalled | Sleepers;

  std::atomic<std::uint64_t> word_{0};
  std::atomic<std::uint32_t> life_{0};
};

} // namespace zeroth::cpu
