// Threads for calls back into the program. Such a call may wait for anything, so each runs on a thread that executes
// nothing else meanwhile; an idle thread is reused, and goes when nothing comes for a while.
//
// Threads: any. Ownership: never destroyed while it may have threads; a child of fork() starts its own.
#pragma once
#include "command.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace zeroth::cpu {

class HostFunctions {
public:
  explicit HostFunctions(std::chrono::nanoseconds patience = std::chrono::seconds(2)) : patience_(patience) {}
  static HostFunctions& shared();

  // Calls function(data), then owner.command_done(nullptr).
  void call(void (*function)(void*), void* data, Continuation& owner);
  std::size_t threads() const;

private:
  struct Call {
    void (*function)(void*);
    void* data;
    Continuation* owner;
  };
  void thread_main();

  const std::chrono::nanoseconds patience_; // of an idle thread
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Call> calls_;
  std::size_t threads_ = 0, idle_ = 0;
};

} // namespace zeroth::cpu
