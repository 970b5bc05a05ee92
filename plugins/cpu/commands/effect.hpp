// What a command's end changes besides its event's word: how counter-based events advance that are not simply the
// number of the command in its list.
#pragma once
#include "../execute/timeline.hpp"

#include <array>

namespace zeroth::cpu {

struct SignalQueue;

// What an effect reads or changes, kept for as long as there are effects to come: its event may go before. Made with
// one use, its maker's. Threads: any.
class EffectOwner {
public:
  EffectOwner() = default;
  EffectOwner(const EffectOwner&) = delete;
  EffectOwner& operator=(const EffectOwner&) = delete;

  void hold() { uses_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (uses_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

protected:
  virtual ~EffectOwner() = default;

private:
  std::atomic<std::uint32_t> uses_{1};
};

struct Effect {
  enum class Kind : std::uint8_t {
    Nothing,
    Add,     // `value` to `word`, atomically
    Publish, // `value` into `word`, which other processes sleep on
    Next,    // the next of `queue`
  };
  Kind kind = Kind::Nothing;
  union {
    std::atomic<std::uint64_t>* word = nullptr;
    SignalQueue* queue;
  };
  std::uint64_t value = 0;
  Timeline* advanced = nullptr; // and this by one
  EffectOwner* owner = nullptr; // released when the effect has been applied, or will never be

  // The effect itself may be gone once it is visible.
  void apply() const;
  void forget() const {
    if (owner) owner->release();
  }

private:
  void apply_to_word() const;
};

// What the executions of one command of a list signal: each has a number of its own that other processes may wait for,
// and several can be under way. Filled by those who submit the list, emptied by its executions, which come one after
// the other. No program has 511 of them under way.
struct SignalQueue {
  static constexpr std::size_t Size = 511;
  std::array<const Effect*, Size> effects;
  std::uint64_t promised = 0, submitted = 0, ended = 0; // promised: also for the execution to come

  void push(const Effect& effect) { effects[promised++ % Size] = &effect; }
  // Of an event that is gone, an execution signals what was promised before, or nothing.
  void submit() {
    static constexpr Effect Nothing;
    if (promised == submitted) push(Nothing);
    ++submitted;
  }
  const Effect& pop() { return *effects[ended++ % Size]; }
  // The execution to come signals something else, or will not be.
  void forget_promise() {
    while (promised != submitted) effects[--promised % Size]->forget();
  }
};

} // namespace zeroth::cpu
