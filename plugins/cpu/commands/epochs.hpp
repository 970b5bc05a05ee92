// Counts what begins and ends out of order, so that a wait for all that has begun ends although more begins all the
// time. What begins belongs to the present epoch; a wait turns to the next one, once the epoch before the present one
// has ended, and then needs the end of the one that it has left. Two epochs exist at a time, so a bit tells them.
//
// Threads: begin() by one at a time, everything else from any.
#pragma once
#include <atomic>
#include <cstdint>

namespace zeroth::cpu {

class Epochs {
public:
  // The epoch's bit, for end().
  bool begin() {
    const bool odd = epoch_.load(std::memory_order_acquire) & 1;
    begun_[odd].store(begun_[odd].load(std::memory_order_relaxed) + 1, std::memory_order_release);
    return odd;
  }
  void end(bool odd) { ended_[odd].fetch_add(1, std::memory_order_acq_rel); }

  // A wait for all that had begun when it was made.
  class Wait {
  public:
    explicit Wait(Epochs& of) : of_(&of), epoch_(of.epoch_.load(std::memory_order_seq_cst)) {}
    // How many ends are missing at least; 0: none. By one thread at a time.
    std::uint64_t missing() {
      if (!turned_) {
        if (const std::uint64_t before = of_->missing_in(epoch_ - 1)) return before;
        std::uint64_t present = epoch_;
        of_->epoch_.compare_exchange_strong(present, present + 1, std::memory_order_seq_cst); // or another wait has
        turned_ = true;
      }
      return of_->missing_in(epoch_);
    }

  private:
    Epochs* of_;
    std::uint64_t epoch_;
    bool turned_ = false;
  };

private:
  std::uint64_t missing_in(std::uint64_t epoch) const {
    if (epoch_.load(std::memory_order_seq_cst) >= epoch + 2) return 0; // whoever turned that far has seen its end
    const bool odd = epoch & 1;
    const std::uint64_t ended =
        ended_[odd].load(std::memory_order_acquire); // first: then the difference is not too small
    return begun_[odd].load(std::memory_order_acquire) - ended;
  }

  std::atomic<std::uint64_t> epoch_{2};
  std::atomic<std::uint64_t> begun_[2] = {}, ended_[2] = {};
};

} // namespace zeroth::cpu
