#include "timeline.hpp"

#include "futex.hpp"

#include <climits>

namespace zeroth::cpu {

void Timeline::push(Waiter& waiter) {
  Waiter* head = waiters_.load(std::memory_order_relaxed);
  do waiter.next_waiter = head;
  while (!waiters_.compare_exchange_weak(head, &waiter, std::memory_order_seq_cst));
}

bool Timeline::await(Waiter& waiter, std::uint64_t target) {
  if (reached(target)) return false;
  waiter.awaited = target;
  push(waiter);
  // Either the advancing thread sees the waiter, or we see its value.
  if (value_.load(std::memory_order_seq_cst) >= target) release_waiters();
  return true;
}

void Timeline::release_waiters() {
  Waiter* waiter = waiters_.exchange(nullptr, std::memory_order_acq_rel);
  while (waiter) {
    Waiter* next = waiter->next_waiter;
    if (value_.load(std::memory_order_seq_cst) >= waiter->awaited) {
      waiter->released();
    } else {
      const std::uint64_t target = waiter->awaited;
      push(*waiter);
      if (value_.load(std::memory_order_seq_cst) >= target) { // advanced meanwhile: nobody else may have looked
        Waiter* again = waiters_.exchange(nullptr, std::memory_order_acq_rel);
        if (!again) {
          waiter = next;
          continue;
        }
        Waiter* last = again;
        while (last->next_waiter) last = last->next_waiter;
        last->next_waiter = next;
        next = again;
      }
    }
    waiter = next;
  }
}

bool Timeline::sleep_until(std::uint64_t target, std::uint64_t deadline) {
  while (!reached(target)) {
    const std::uint32_t wakes = wakes_.load(std::memory_order_acquire);
    std::uint64_t lowest = sleep_target_.load(std::memory_order_relaxed);
    while (target < lowest && !sleep_target_.compare_exchange_weak(lowest, target, std::memory_order_seq_cst)) {
    }
    if (value_.load(std::memory_order_seq_cst) >= target) break;
    if (now() >= deadline) return false;
    futex::sleep(&wakes_, wakes, futex::early(deadline));
  }
  return true;
}

// The order matters: a sleeper reads `wakes_` before it enters its target, so either its target survives the reset or
// its futex word has changed.
void Timeline::wake_sleepers() {
  sleep_target_.store(Forever, std::memory_order_seq_cst);
  wakes_.fetch_add(1, std::memory_order_acq_rel);
  futex::wake(&wakes_, INT_MAX);
}

} // namespace zeroth::cpu
