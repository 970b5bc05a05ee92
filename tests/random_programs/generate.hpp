// Makes random legal programs. The same seed gives the same program on every machine.
#pragma once

#include "program.hpp"

namespace zeroth::random_programs {

struct Features {
  bool barriers = true;
  bool sub_groups = true;
  bool atomics = true;
  bool vectors = true;            // and runs of numbers that wrap round, in programs of odd seeds
  bool sub_group_barriers = true; // and cells that one writes for all, in programs of odd seeds
};

Program generate(uint64_t seed, const Features& features = {});

} // namespace zeroth::random_programs
