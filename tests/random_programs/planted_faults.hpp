// Faults of the kinds that a vectoriser has, put into freshly made code: the suite must notice each.
#pragma once

#include "in_process.hpp"

namespace zeroth::random_programs {

struct PlantedFault {
  const char* name;
  Tamper tamper;
};

const std::vector<PlantedFault>& planted_faults();

} // namespace zeroth::random_programs
