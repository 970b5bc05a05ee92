// What a command's end changes besides its event's word: how counter-based events advance that are not simply the
// number of the command in its list.
#pragma once
#include "../execute/timeline.hpp"

namespace zeroth::cpu {

struct Effect {
  enum class Kind : std::uint8_t {
    Advance, // `timeline` by one
    Add,     // `value` to `word`, atomically
    Raise,   // `word` to `value`, unless it is beyond
    Publish, // `value` into `word`, which other processes sleep on
  };
  Kind kind = Kind::Advance;
  union {
    Timeline* timeline = nullptr;
    std::atomic<std::uint64_t>* word;
  };
  std::uint64_t value = 0;

  // The effect itself may be gone once it is visible.
  void apply() const;
};

} // namespace zeroth::cpu
