#include "width_plan.hpp"

#include "dialect_calls.hpp"
#include "group_operations.hpp"
#include "kernel_metadata.hpp"
#include "target_machine.hpp"

#include <algorithm>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

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

// Values that an inner loop carries along in vectors, at most.
unsigned carried_values(llvm::Function& body, bool& has_loops) {
  llvm::DominatorTree dominators(body);
  llvm::LoopInfo loops(dominators);
  has_loops = !loops.empty();
  unsigned most = 0;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    unsigned carried = 0;
    for (const llvm::PHINode& phi : loop->getHeader()->phis())
      if (llvm::Type* type = phi.getType(); type->getScalarType()->isFloatingPointTy())
        carried += type->isVectorTy() ? llvm::cast<llvm::FixedVectorType>(type)->getNumElements() : 1;
    most = std::max(most, carried);
  }
  return most;
}

// Several vectors side by side hide latency and share what is the same for all, as long as registers last.
uint32_t natural_parts(llvm::Function& body, unsigned bits, bool& has_loops) {
  constexpr unsigned Temporaries = 3, LongBody = 900, MediumBody = 400;
  // A texel takes four vectors and dozens of instructions: enough to hide latency, and much code to compile.
  unsigned carried = carried_values(body, has_loops), size = body.getInstructionCount();
  if (calls_dialect(body, dialect::LoadWords) || calls_dialect(body, dialect::StoreWords)) return 1;
  unsigned registers = bits == 512 ? 28 : 14;
  uint32_t parts = 4;
  while (has_loops && parts > 1 && parts * (carried + Temporaries) > registers) parts /= 2;
  if (size > MediumBody) parts = std::min(parts, 2u);
  if (size > LongBody) parts = 1;
  return parts;
}

// A work-group of known size is cut without rest where possible.
uint32_t fit_parts(uint32_t parts, uint32_t lanes, const std::array<uint32_t, 3>& size) {
  uint64_t items = uint64_t(size[0]) * size[1] * size[2];
  while (items && parts > 1 && (items % (uint64_t(parts) * lanes) != 0)) parts /= 2;
  return parts;
}

bool uses_sub_groups(llvm::Function& body) {
  return has_narrow_barriers(body) || calls_dialect(body, dialect::SubGroupPrefix) || calls_dialect(body, dialect::SubGroupSize) ||
         calls_dialect(body, dialect::SubGroupMaxSize) || calls_dialect(body, dialect::NumSubGroups) ||
         calls_dialect(body, dialect::SubGroupId) || calls_dialect(body, dialect::SubGroupLocalId) ||
         calls_dialect(body, dialect::NumEnqueuedSubGroups);
}

} // namespace

WidthPlan plan_width(llvm::Function& body, const llvm::TargetMachine& machine, const CompileOptions& options) {
  WidthPlan plan;
  plan.uses_sub_groups = uses_sub_groups(body);
  constexpr uint32_t LargestSubGroup = 64;
  uint32_t required = required_sub_group_size(body);
  if (required > LargestSubGroup)
    throw CodegenError("kernel " + body.getName().drop_back(body.getName().ends_with(".body") ? 5 : 0).str() +
                       " requires sub-groups of " + std::to_string(required) + " work-items; 64 are the most");
  plan.may_choose_lanes = !required && !plan.uses_sub_groups;
  plan.lanes = required ? required : natural_lanes(body, vector_bits(machine));
  constexpr unsigned TooLong = 4000; // instructions: vectors of these would take the code generator seconds
  if (options.width == 0 && !required && body.getInstructionCount() > TooLong) {
    plan.lanes = plan.uses_sub_groups ? plan.lanes : 1;
    return plan;
  }
  if (plan.lanes == 1) return plan;
  uint32_t natural = natural_parts(body, vector_bits(machine), plan.has_loops);
  if (options.width == 0) {
    plan.parts = fit_parts(natural, plan.lanes, required_group_size(body));
    return plan;
  }
  if (!required) plan.lanes = std::min(plan.lanes, options.width);
  plan.parts = std::max(1u, options.width / plan.lanes);
  return plan;
}

uint32_t affordable_parts(uint32_t parts, uint32_t lanes, const VectorCost& cost) {
  constexpr uint64_t MostOperations = 1000;
  constexpr unsigned MaskRegisters = 8;
  constexpr uint32_t MostWaiting = 32; // work-items
  while (cost.waits && parts > 1 && parts * lanes > MostWaiting) parts /= 2;
  if (3 * cost.scalarised >= cost.operations && cost.scalarised > 0) return 1;
  while (parts > 1 && parts * cost.operations > MostOperations) parts /= 2;
  while (parts > 1 && parts * cost.masks > MaskRegisters) parts /= 2;
  return parts;
}

uint32_t masked_parts(const WidthPlan& plan, const VectorCost& cost) {
  constexpr uint64_t Small = 50, Medium = 100;
  const uint32_t parts = plan.parts;
  if (plan.has_loops || cost.operations > Medium) return 1;
  return cost.operations > Small ? std::max(1u, parts / 2) : parts;
}

} // namespace zeroth::codegen
