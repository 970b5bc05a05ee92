// Semaphores that the program imports by a descriptor (share/semaphore_file.hpp).
// Threads: any. Commands count as users until they have ended.
#pragma once
#include "../share/semaphore_file.hpp"
#include "driver.hpp"

namespace zeroth::cpu {

class CpuExternalSemaphore final : public device::ExternalSemaphore {
public:
  explicit CpuExternalSemaphore(int descriptor) : semaphore_(descriptor) {}

  SemaphoreFile& semaphore() { return semaphore_; }
  void begin_use() { users_.fetch_add(1, std::memory_order_relaxed); }
  void end_use() { users_.fetch_sub(1, std::memory_order_release); }
  // Whoever sees the signal may release the semaphore at once: the release waits for this call's end.
  void signal_and_end_use(std::uint64_t value) {
    signalling_.fetch_add(1, std::memory_order_relaxed);
    semaphore_.signal(value);
    end_use();
    signalling_.fetch_sub(1, std::memory_order_release);
  }
  WatchedWord watched(std::uint64_t value) const {
    const bool binary = semaphore_.kind() == SemaphoreFile::Kind::Binary;
    return {&semaphore_.word(), value, binary ? WatchedWord::Test::Take : WatchedWord::Test::AtLeast, true};
  }

  ze_result_t device_release_external_semaphore_ext() override;

private:
  SemaphoreFile semaphore_;
  std::atomic<std::uint64_t> users_{0}, signalling_{0};
};

} // namespace zeroth::cpu
