// What only a full discovery of the machine tells (hwloc): run on the first question about caches, then kept. Where the
// library is not installed there are no answers, and nothing else suffers.
#pragma once
#include <cstdint>
#include <vector>

namespace zeroth::cpu {

struct CacheFacts {
  unsigned level = 0;
  std::uint64_t bytes = 0; // of all instances together
  std::uint64_t line = 64;
};

struct Topology {
  std::vector<CacheFacts> caches; // data and unified ones, by level
  unsigned numa_nodes = 1;
};

// Throws nothing; an undiscoverable machine has no caches and one node.
const Topology& topology();

} // namespace zeroth::cpu
