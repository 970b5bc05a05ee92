#include "host_functions.hpp"

#include <atomic>
#include <thread>
#include <unistd.h>

namespace zeroth::cpu {

HostFunctions& HostFunctions::shared() {
  static std::atomic<HostFunctions*> current{nullptr};
  static std::atomic<pid_t> owner{0};
  static std::mutex creation;
  if (owner.load(std::memory_order_acquire) != getpid()) {
    std::lock_guard lock(creation);
    if (owner.load(std::memory_order_relaxed) != getpid()) {
      current.store(new HostFunctions, std::memory_order_relaxed);
      owner.store(getpid(), std::memory_order_release);
    }
  }
  return *current.load(std::memory_order_relaxed);
}

void HostFunctions::call(void (*function)(void*), void* data, Continuation& owner) {
  std::lock_guard lock(mutex_);
  calls_.push_back({function, data, &owner});
  if (calls_.size() <= idle_) {
    changed_.notify_one();
  } else {
    std::thread([this] { thread_main(); }).detach();
  }
}

void HostFunctions::thread_main() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [this] { return !calls_.empty(); });
    --idle_;
    const Call call = calls_.front();
    calls_.pop_front();
    lock.unlock();
    call.function(call.data);
    call.owner->command_done(nullptr);
    lock.lock();
  }
}

} // namespace zeroth::cpu
