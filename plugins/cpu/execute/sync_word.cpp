#include "sync_word.hpp"

#include "futex.hpp"
#include "order_annotations.hpp"

#include <bit>
#include <climits>

namespace zeroth::cpu {

static_assert(std::endian::native == std::endian::little, "sleepers watch the low half of the word");

void SyncWord::signal() {
  const std::uint64_t life = this->life(); // before it is signalled: the event may be gone at once
  const std::uint64_t old = word_.exchange(Signalled, std::memory_order_acq_rel);
  if (old & Sleepers) futex::wake(&word_, INT_MAX);
  auto* waiter = reinterpret_cast<Waiter*>(old & ~Flags);
  while (waiter) {
    Waiter* next = waiter->next_waiter;     // read first: a released waiter may be gone
    if (waiter->awaited == life) [[likely]] // else it came for an event that was destroyed
      waiter->released();
    waiter = next;
  }
}

void SyncWord::signal_shared() {
  annotate_signal_to_processes();
  if (word_.exchange(Signalled, std::memory_order_acq_rel) & Sleepers) futex::wake_shared(&word_, INT_MAX);
}

bool SyncWord::signalled_or_mark(std::atomic<std::uint64_t>& word) {
  std::uint64_t seen = word.load(std::memory_order_acquire);
  while (!(seen & Signalled) && !(seen & Sleepers))
    if (word.compare_exchange_weak(seen, seen | Sleepers, std::memory_order_acq_rel)) return false;
  return seen & Signalled;
}

void SyncWord::begin_life() {
  static std::atomic<std::uint32_t> last{0};
  std::uint32_t fresh;
  do fresh = last.fetch_add(1, std::memory_order_relaxed) + 1;
  while (fresh == 0);
  life_.store(fresh, std::memory_order_relaxed);
}

bool SyncWord::await(Waiter& waiter, std::uint32_t life) {
  if (life != this->life()) [[unlikely]]
    return true; // for ever
  waiter.awaited = life;
  std::uint64_t seen = word_.load(std::memory_order_acquire);
  do {
    if (seen & Signalled) return false;
    waiter.next_waiter = reinterpret_cast<Waiter*>(seen & ~Flags);
  } while (!word_.compare_exchange_weak(seen, reinterpret_cast<std::uint64_t>(&waiter) | (seen & Sleepers),
                                        std::memory_order_acq_rel, std::memory_order_acquire));
  return true; // not a word about the waiter from here on: it may have been released, and wait elsewhere
}

bool SyncWord::sleep_until(std::uint64_t deadline) {
  std::uint64_t seen = word_.load(std::memory_order_acquire);
  while (!(seen & Signalled)) {
    if (now() >= deadline) return false;
    if (!(seen & Sleepers) && !word_.compare_exchange_weak(seen, seen | Sleepers, std::memory_order_acq_rel)) continue;
    futex::sleep(&word_, static_cast<std::uint32_t>(seen | Sleepers), futex::early(deadline));
    seen = word_.load(std::memory_order_acquire);
  }
  return true;
}

} // namespace zeroth::cpu
