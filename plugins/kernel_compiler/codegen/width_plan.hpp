// How many work-items a slice of a kernel holds.
#pragma once

#include "codegen.hpp"
#include "vector_cost.hpp"

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace zeroth::codegen {

struct WidthPlan {
  uint32_t lanes = 1; // of a part: the machine's vector, or the sub-group
  uint32_t parts = 1;
  bool uses_sub_groups = false;
  bool has_loops = false;
  bool may_choose_lanes = false; // nothing in the kernel depends on their number
  uint32_t width() const { return lanes * parts; }
};

WidthPlan plan_width(llvm::Function& body, const llvm::TargetMachine& machine, const CompileOptions& options);

// Parts that pay, at most `parts`: several hide latency, which work done one item at a time does not have; each costs
// code, and in loops that end with the data all wait for the slowest.
uint32_t affordable_parts(uint32_t parts, uint32_t lanes, const VectorCost& cost);

// The same for the form with masks: it serves groups that do not fill slices, and need not be as large. Loops have
// enough to do in one part.
uint32_t masked_parts(const WidthPlan& plan, const VectorCost& cost);

} // namespace zeroth::codegen
