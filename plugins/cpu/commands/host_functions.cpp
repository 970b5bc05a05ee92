#include "host_functions.hpp"

#include <atomic>
#include <system_error>
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
  if (calls_.size() <= idle_) return changed_.notify_one();
  try {
    std::thread([this] { thread_main(); }).detach();
    ++threads_;
  } catch (const std::system_error&) {
    if (threads_ == 0) throw;
  } // else one of those there are takes it later
}

std::size_t HostFunctions::threads() const {
  std::lock_guard lock(mutex_);
  return threads_;
}

void HostFunctions::thread_main() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    const bool called = changed_.wait_for(lock, patience_, [this] { return !calls_.empty(); });
    --idle_;
    if (!called) break;
    const Call call = calls_.front();
    calls_.pop_front();
    lock.unlock();
    call.function(call.data);
    call.owner->command_done(nullptr);
    lock.lock();
  }
  --threads_;
}

} // namespace zeroth::cpu
