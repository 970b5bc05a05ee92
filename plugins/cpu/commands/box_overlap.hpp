// Do the bytes that a copy of a box reads and those that it writes have any in common? Exact: boxes that lie between
// each other's rows do not overlap. A handful of divisions where both have the same pitches, else some for each row.
#pragma once
#include "transfer.hpp"

namespace zeroth::cpu {

bool overlaps(const BoxCopy& box);

} // namespace zeroth::cpu
