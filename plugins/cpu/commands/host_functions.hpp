// Threads for calls back into the program. Such a call may wait for anything, so each runs on a thread that executes
// nothing else meanwhile; an idle thread is reused.
//
// Threads: any. Ownership: the threads live as long as the process; a child of fork() starts its own.
#pragma once
#include "command.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>

namespace zeroth::cpu {

class HostFunctions {
public:
  static HostFunctions& shared();

  // Calls function(data), then owner.command_done(nullptr).
  void call(void (*function)(void*), void* data, Continuation& owner);

private:
  struct Call {
    void (*function)(void*);
    void* data;
    Continuation* owner;
  };
  void thread_main();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Call> calls_;
  std::size_t idle_ = 0;
};

} // namespace zeroth::cpu
