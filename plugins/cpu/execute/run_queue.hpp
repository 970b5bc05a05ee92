// First in, first out, for any number of threads, without locks while it is not over-full (Vyukov's bounded queue);
// what does not fit waits in a locked overflow list that pop() looks at last.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

namespace zeroth::cpu {

template <class T, std::size_t Capacity> class RunQueue {
public:
  RunQueue() {
    for (std::size_t i = 0; i < Capacity; ++i) cells_[i].turn.store(i, std::memory_order_relaxed);
  }

  void push(T* item) {
    std::uint64_t at = tail_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cells_[at % Capacity];
      const auto lag = static_cast<std::int64_t>(cell.turn.load(std::memory_order_acquire) - at);
      if (lag < 0) return push_overflow(item);
      if (lag > 0) {
        at = tail_.load(std::memory_order_relaxed);
      } else if (tail_.compare_exchange_weak(at, at + 1, std::memory_order_seq_cst)) {
        cell.item = item;
        cell.turn.store(at + 1, std::memory_order_release);
        return;
      }
    }
  }

  T* pop() {
    std::uint64_t at = head_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cells_[at % Capacity];
      const auto lag = static_cast<std::int64_t>(cell.turn.load(std::memory_order_acquire) - (at + 1));
      if (lag < 0) return pop_overflow();
      if (lag > 0) {
        at = head_.load(std::memory_order_relaxed);
      } else if (head_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
        T* item = cell.item;
        cell.turn.store(at + Capacity, std::memory_order_release);
        return item;
      }
    }
  }

  // True for an item whose push() has begun before, in the single order of sequentially consistent operations.
  bool maybe_filled() const {
    return tail_.load(std::memory_order_seq_cst) != head_.load(std::memory_order_seq_cst) ||
           overflowed_.load(std::memory_order_seq_cst) != 0;
  }

private:
  static_assert((Capacity & (Capacity - 1)) == 0);
  struct Cell {
    std::atomic<std::uint64_t> turn;
    T* item;
  };

  void push_overflow(T* item) {
    std::lock_guard lock(overflow_mutex_);
    overflow_.push_back(item);
    overflowed_.fetch_add(1, std::memory_order_seq_cst);
  }
  T* pop_overflow() {
    if (overflowed_.load(std::memory_order_acquire) == 0) return nullptr;
    std::lock_guard lock(overflow_mutex_);
    if (overflow_.empty()) return nullptr;
    T* item = overflow_.front();
    overflow_.pop_front();
    overflowed_.fetch_sub(1, std::memory_order_relaxed);
    return item;
  }

  alignas(64) std::atomic<std::uint64_t> tail_{0};
  alignas(64) std::atomic<std::uint64_t> head_{0};
  alignas(64) std::array<Cell, Capacity> cells_;
  std::atomic<std::size_t> overflowed_{0};
  std::mutex overflow_mutex_;
  std::deque<T*> overflow_;
};

} // namespace zeroth::cpu
