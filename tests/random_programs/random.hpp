// A small generator of random numbers whose sequence is the same everywhere (splitmix64).
#pragma once

#include <cstdint>

namespace zeroth::random_programs {

class Random {
public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // 0..bound-1; bound > 0.
  uint32_t below(uint32_t bound) { return uint32_t((next() >> 32) * bound >> 32); }
  bool one_in(uint32_t n) { return below(n) == 0; }

private:
  uint64_t state_;
};

} // namespace zeroth::random_programs
