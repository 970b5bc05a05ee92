// Work that several threads do together: a range of units, published on a board where idle workers find it.
//
// A job's range is split evenly into one share per thread that may take part; whoever joins takes the next share, works
// it off from the front, and then steals the back half of the fullest other share. Whoever leaves last, when nothing is
// left to claim, ends the job: all work is done then, because units are only claimed and done between join and leave.
//
// Threads: any. Slots live as long as the board, so a late look at one is harmless; a gate word with an epoch decides
// who may enter. No locks, no allocation.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

namespace zeroth::cpu {

class Worker;

// The work itself. Owned by the one who published it; alive until ended() is called.
class Job {
public:
  // Does units [first, end); called from several threads at once, on disjoint ranges.
  virtual void run_units(Worker& worker, std::uint64_t first, std::uint64_t end) = 0;
  // All units are done and no other thread touches the job. Called once.
  virtual void ended(Worker& worker) = 0;

protected:
  ~Job() = default;
};

class JobBoard {
public:
  static constexpr unsigned Slots = 64;
  struct Pass { // the right to work on a job
    unsigned slot;
    std::uint32_t share;
  };
  struct Ticket { // a published job, if it still is
    std::uint32_t slot = Slots;
    std::uint32_t epoch = 0;
  };

  explicit JobBoard(unsigned most_threads);

  bool maybe_filled() const { return open_.load(std::memory_order_seq_cst) != 0; }

  // A job is under way that nobody else can join.
  bool crowded() const { return (used_.load(std::memory_order_relaxed) & ~open_.load(std::memory_order_relaxed)) != 0; }

  // A job that must have all its threads at once may still be joined.
  bool urgent() const { return (open_.load(std::memory_order_seq_cst) & urgent_.load(std::memory_order_seq_cst)) != 0; }

  // Publishes `units` (below 2^31) as a job that the caller has joined. False if the board is full.
  bool publish(Job& job, std::uint32_t units, std::uint32_t grain, Pass& pass, Ticket& ticket, bool urgent = false);
  bool join_any(Pass& pass);
  bool join(Ticket ticket, Pass& pass);
  // Works until nothing is left to claim, then leaves. True if this thread was the last and the job is over: it must
  // now call ended() on the job given back.
  Job* work(Worker& worker, Pass pass);

private:
  struct alignas(64) Share {
    std::atomic<std::uint64_t> range{0}; // begin in the low half, end in the high half
  };
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> gate{0}; // epoch << 32 | Open | joined << 8 | present
    Job* job = nullptr;
    std::uint32_t grain = 1;
    std::unique_ptr<Share[]> shares;
  };

  static constexpr std::uint64_t Open = std::uint64_t{1} << 31;

  bool enter(unsigned slot, std::uint64_t gate, Pass& pass);
  void take_down(unsigned slot);
  static bool take_front(Share& share, std::uint32_t grain, std::uint32_t& first, std::uint32_t& end);
  bool steal(Slot& slot, std::uint32_t thief);

  const unsigned most_threads_;
  std::atomic<std::uint64_t> used_{0};   // slots that a publisher owns
  std::atomic<std::uint64_t> open_{0};   // slots that may be joined
  std::atomic<std::uint64_t> urgent_{0}; // slots whose job needs all its threads
  std::array<Slot, Slots> slots_;
};

} // namespace zeroth::cpu
