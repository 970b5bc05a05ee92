// The callbacks by which upstream's static loader and this library tell each other that they go away.
//
// Threading: any thread; one lock, never held while a callback runs. Ownership: callbacks belong to whoever registered.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include <level_zero/loader/ze_loader.h>

namespace zeroth::entry {

class TeardownCallbacks {
public:
  // The index that the owner hands back to forget() when it goes away first.
  std::uint32_t add(zel_loader_teardown_callback_t callback);
  void forget(std::uint32_t index) noexcept;

  // At process exit: tells everyone who is still registered and still mapped, once.
  void notify() noexcept;

  void lock_for_fork() { mutex_.lock(); }
  void unlock_after_fork() { mutex_.unlock(); }

private:
  std::mutex mutex_;
  std::vector<zel_loader_teardown_callback_t> callbacks_; // by index; null when forgotten
};

TeardownCallbacks& teardown_callbacks();

} // namespace zeroth::entry
