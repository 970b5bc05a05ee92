// Words that change without anybody in this process saying so: events and semaphores shared with other processes, and
// memory that the program itself writes. One thread of the process looks at all that something waits for. Where the
// writer announces its writes (a futex wake on the word's low half) the thread sleeps until then, or a tenth of a
// second: a process may die between the two. Else it naps, for longer and longer, up to half a millisecond. With nothing
// to watch it sleeps for good.
//
// Threads: any. Ownership: the thread lives as long as the process; a child of fork() gets its own. Whoever unmaps
// memory that may hold watched words calls forget() before.
#pragma once
#include "sync_word.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace zeroth::cpu {

struct WatchedWord {
  enum class Test : std::uint8_t {
    AtLeast,   // the word has reached `value`
    Signalled, // the word is a shared SyncWord
    Take,      // the word is not 0, and we have set it to 0: one waiter gets it
  };
  std::atomic<std::uint64_t>* word = nullptr;
  std::uint64_t value = 0;
  Test test = Test::AtLeast;
  bool announced = false;

  // Would passed() be true now? Also marks a shared SyncWord as slept on.
  bool ready() const;
  // True once; with Take it has an effect.
  bool passed() const;
  // Sleeps as the watching thread would; false at the deadline.
  bool sleep_until(std::uint64_t deadline) const;

private:
  bool take() const;
};

class Watch {
public:
  static Watch& shared();

  // Releases the waiter when the word has passed, always from the watching thread.
  void add(const WatchedWord& what, Waiter& waiter);

  // The memory is about to go: after the call nobody looks at words in it, and who waits for one waits for ever. A
  // program that gives up on another process does that in any order.
  static void forget(const void* memory, std::size_t bytes) noexcept;

private:
  struct Entry {
    WatchedWord what;
    Waiter* waiter;
  };

  void thread_main();
  void take_in();
  void drop_going(std::vector<Entry>& from);
  void await_drop(const void* memory, std::size_t bytes) noexcept;
  void release_passed();
  void sleep(std::uint32_t seen, std::uint64_t nap);

  std::mutex mutex_;
  std::vector<Entry> added_;
  std::atomic<std::size_t> count_{0}; // of entries, added or watched
  std::mutex one_goes_;               // held by who fills these two, and first
  const std::byte* going_ = nullptr;
  std::size_t going_bytes_ = 0;
  std::condition_variable gone_;
  bool started_ = false;
  std::atomic<std::uint32_t> kick_{0};
  std::vector<Entry> watched_; // the thread's own
  std::vector<Waiter*> passed_;
};

} // namespace zeroth::cpu
