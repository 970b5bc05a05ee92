#include "migrate.hpp"

#include "../execute/order_annotations.hpp"
#include "heap.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

namespace zeroth::cpu {

namespace {

struct Guard {
  std::mutex one_at_a_time;
  std::atomic<const Heap*> heap{nullptr}; // null before the first migration
  std::atomic<bool> active{false};
  struct sigaction previous {};
};
Guard& guard() {
  static Guard& only = *new Guard; // a fault may come at any time
  return only;
}

void pass_on(int number, siginfo_t* info, void* context) {
  const struct sigaction& previous = guard().previous;
  if (previous.sa_flags & SA_SIGINFO) return previous.sa_sigaction(number, info, context);
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) return previous.sa_handler(number);
  signal(number, SIG_DFL); // and the faulting instruction, run again, ends the process as it would have
}

// A protection fault in shared or migrating memory of the heap, which is otherwise always writable, is a write that
// came during a migration: after it, the instruction simply runs again.
void handle_fault(int number, siginfo_t* info, void* context) {
  const int kept_errno = errno;
  const Heap* heap = guard().heap.load(std::memory_order_acquire);
  if (info->si_code != SEGV_ACCERR || !heap || !heap->migrates(info->si_addr)) return pass_on(number, info, context);
  while (guard().active.load(std::memory_order_acquire)) sched_yield();
  errno = kept_errno;
}

void install_handler() {
  struct sigaction action {};
  action.sa_sigaction = handle_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGSEGV, &action, &guard().previous) != 0) throw std::bad_alloc();
}

bool all_zero(const std::byte* from, std::size_t bytes) {
  return from[0] == std::byte{0} && std::memcmp(from, from + 1, bytes - 1) == 0;
}

bool copy_to_file(const std::byte* from, std::size_t bytes, int file, std::size_t offset) {
  for (std::size_t at = 0; at < bytes;) {
    const std::size_t piece = std::min(bytes - at, Granule);
    if (all_zero(from + at, piece)) { // stays a hole
      at += piece;
      continue;
    }
    const ssize_t written = pwrite(file, from + at, piece, static_cast<off_t>(offset + at));
    if (written <= 0) return false;
    at += static_cast<std::size_t>(written);
  }
  return true;
}

} // namespace

void migrate_to_file(const Heap& heap, std::byte* base, std::size_t bytes, int file, std::size_t offset) {
  std::lock_guard lock(guard().one_at_a_time);
  if (!guard().heap.load(std::memory_order_relaxed)) install_handler();
  guard().active.store(true, std::memory_order_seq_cst);
  guard().heap.store(&heap, std::memory_order_release);
  const UnderPageProtection nobody_else_writes;
  bool moved = mprotect(base, bytes, PROT_READ) == 0 && copy_to_file(base, bytes, file, offset);
  moved = moved && mmap(base, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                        static_cast<off_t>(offset)) != MAP_FAILED;
  if (!moved) mprotect(base, bytes, PROT_READ | PROT_WRITE);
  guard().active.store(false, std::memory_order_release);
  if (!moved) throw std::bad_alloc();
  if (bytes >= HugePage) madvise(base, bytes, MADV_HUGEPAGE);
}

} // namespace zeroth::cpu
