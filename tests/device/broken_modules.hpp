// SPIR-V that must not build, by kind, and modules broken by chance. The same seed gives the same words everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace device_tests {

struct BrokenModule {
  std::string kind;
  std::vector<std::uint32_t> words;
  bool may_build = false; // what chance has changed may still be right
};

// Unknown extensions and capabilities, recursion, arrays of 2 GiB and more, blocks and types that contain themselves:
// `variants` of each kind.
std::vector<BrokenModule> named_broken_modules(std::uint32_t variants);

// Number `seed` of the truncated, bit-flipped and otherwise changed ones, made from one of the good modules.
BrokenModule mutant(std::uint64_t seed, const std::vector<std::vector<std::uint32_t>>& good);

} // namespace device_tests
