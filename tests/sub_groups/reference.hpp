// What sub-group operations mean, lane by lane, and the list of those that are tested.
#pragma once

#include "kernel_writer.hpp"

#include <functional>
#include <optional>
#include <string>

namespace zeroth::sub_groups {

// One sub-group before an operation. Values are bit patterns of the case's type.
struct Lanes {
  uint32_t size = 0;            // the maximum
  std::vector<uint64_t> values; // as many as the sub-group has work-items
  std::vector<uint32_t> picks;  // for each work-item an active lane
  std::vector<bool> active;
  uint32_t group = 0, groups = 0; // this sub-group's number in its work-group, and how many there are

  uint32_t count() const { return uint32_t(values.size()); }
};

struct Case {
  std::string name;
  Type type;      // of input and output
  bool needs_all; // every work-item of the sub-group must be here
  // Writes the operation; gives what to store.
  std::function<Id(KernelWriter&)> emit;
  // What the lane gets; nothing where the specification leaves it open.
  std::function<std::optional<uint64_t>(const Lanes&, uint32_t lane)> expected;
  bool with_some = false; // tested with some work-items, too: one type of each kind
};

// For sub-groups of that size.
std::vector<Case> all_cases(uint32_t size);

// Equal as values of the type: floats by value.
bool same(Type type, uint64_t a, uint64_t b);

} // namespace zeroth::sub_groups
