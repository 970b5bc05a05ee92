#include "width_plan.hpp"

#include "dialect_calls.hpp"
#include "kernel_metadata.hpp"
#include "target_machine.hpp"

#include <algorithm>

#include <llvm/IR/InstIterator.h>

namespace zeroth::codegen {

namespace {

// A part fills one vector of the element type that the kernel computes with most.
uint32_t natural_lanes(const llvm::Function& body, unsigned bits) {
  unsigned doubles = 0, floats = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(body)) {
    llvm::Type* type = instruction.getType()->getScalarType();
    if (type->isDoubleTy()) ++doubles;
    if (type->isFloatTy()) ++floats;
  }
  return bits / (doubles > floats ? 64 : 32);
}

bool uses_sub_groups(const llvm::Function& body) {
  return calls_dialect(body, dialect::SubGroupPrefix) || calls_dialect(body, dialect::SubGroupSize) ||
         calls_dialect(body, dialect::SubGroupMaxSize) || calls_dialect(body, dialect::NumSubGroups) ||
         calls_dialect(body, dialect::SubGroupId) || calls_dialect(body, dialect::SubGroupLocalId) ||
         calls_dialect(body, dialect::NumEnqueuedSubGroups);
}

} // namespace

WidthPlan plan_width(const llvm::Function& body, const llvm::TargetMachine& machine, const CompileOptions& options) {
  WidthPlan plan;
  plan.uses_sub_groups = uses_sub_groups(body);
  uint32_t required = required_sub_group_size(body);
  plan.lanes = required ? required : natural_lanes(body, vector_bits(machine));
  if (options.width == 0) return plan;
  if (!required) plan.lanes = std::min(plan.lanes, options.width);
  plan.parts = std::max(1u, options.width / plan.lanes);
  return plan;
}

} // namespace zeroth::codegen
