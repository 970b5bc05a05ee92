// What a command's end changes besides its event's word: how counter-based events advance that are not simply the
// number of the command in its list.
#pragma once
#include "../execute/timeline.hpp"

#include <array>

namespace zeroth::cpu {

struct SignalQueue;

struct Effect {
  enum class Kind : std::uint8_t {
    Nothing,
    Add,     // `value` to `word`, atomically
    Raise,   // `word` to `value`, unless it is beyond
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

  // The effect itself may be gone once it is visible.
  void apply() const;

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
  const Effect& pop() { return *effects[ended++ % Size]; }
};

} // namespace zeroth::cpu
