// Semaphores that processes and devices share through a file descriptor: our own kind, one page of memory with a word
// in it. The device imports them as external semaphores; a program or another device exports them with this class,
// which needs nothing else of the device.
//
//   binary     0 or 1: a signal makes it 1, a wait takes the 1
//   timeline   a number that grows: a signal raises it, a wait is over when it is reached
//
// Threads: everything from any, in any process. Ownership: the object owns its descriptor and its view of the page.
#pragma once
#include "descriptor.hpp"

#include <atomic>
#include <cstdint>

namespace zeroth::cpu {

class SemaphoreFile {
public:
  enum class Kind : std::uint64_t { Binary = 1, Timeline = 2 };

  // A new one. Throws std::bad_alloc.
  SemaphoreFile(Kind kind, std::uint64_t initial);
  // The one behind a descriptor, which stays the caller's. Throws std::invalid_argument for any other file.
  explicit SemaphoreFile(int descriptor);
  ~SemaphoreFile();
  SemaphoreFile(const SemaphoreFile&) = delete;
  SemaphoreFile& operator=(const SemaphoreFile&) = delete;

  int file() const { return file_.number(); } // to pass along; -1 for one that was opened
  Kind kind() const;
  std::uint64_t value() const { return word().load(std::memory_order_acquire); }
  // What a wait looks at; its low half is a futex that signals wake.
  std::atomic<std::uint64_t>& word() const;

  void signal(std::uint64_t value); // a binary one ignores the value
  bool wait(std::uint64_t value, std::uint64_t timeout_ns);

private:
  struct Page;
  void map(int descriptor);

  Descriptor file_;
  Page* page_ = nullptr;
};

} // namespace zeroth::cpu
