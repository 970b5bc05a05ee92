#include "lower_queries.hpp"

#include "dialect_calls.hpp"
#include "slice_function.hpp"

#include <cstddef>
#include <functional>
#include <map>

#include <llvm/IR/InstIterator.h>

namespace zeroth::codegen {

namespace {

using Lowering = std::function<llvm::Value*(llvm::IRBuilderBase&, std::string_view name, unsigned dimension)>;

// Replaces each query by what `lower` makes of it at the function's start; null leaves it.
void replace_queries(llvm::Function& slice, const Lowering& lower) {
  std::map<std::pair<llvm::Function*, unsigned>, llvm::Value*> known;
  llvm::IRBuilder<> builder(&*slice.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  llvm::SmallVector<llvm::CallInst*> calls, replaced;
  for (llvm::Instruction& instruction : llvm::instructions(slice))
    if (!dialect_name(&instruction).empty()) calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  for (llvm::CallInst* call : calls) {
    auto* constant = call->arg_size() == 1 ? llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0)) : nullptr;
    unsigned dimension = constant ? unsigned(constant->getZExtValue()) : 0;
    llvm::Value*& value = known[{call->getCalledFunction(), dimension}];
    if (!value) value = lower(builder, dialect_name(call), dimension);
    if (!value) continue;
    call->replaceAllUsesWith(value);
    replaced.push_back(call);
  }
  for (llvm::CallInst* call : replaced) call->eraseFromParent(); // only now: new code was put before one of them
}

} // namespace

void lower_group_queries(llvm::Function& slice) {
  llvm::Value* launch = slice.getArg(slice_argument::Launch);
  replace_queries(slice, [&](llvm::IRBuilderBase& builder, std::string_view name, unsigned d) -> llvm::Value* {
    if (name == dialect::GroupId) return slice.getArg(slice_argument::GroupX + d);
    if (name == dialect::EnqueuedLocalSize) return group_extent(builder, launch, d);
    if (name == dialect::NumGroups) return group_count(builder, launch, d);
    if (name == dialect::GlobalOffset)
      return load_field(builder, launch, offsetof(zeroth_launch, global_offset) + 8 * d, builder.getInt64Ty());
    if (name == dialect::WorkDim)
      return load_field(builder, launch, offsetof(zeroth_launch, work_dim), builder.getInt32Ty());
    return nullptr;
  });
}

void lower_item_queries(llvm::Function& slice) {
  replace_queries(slice, [&](llvm::IRBuilderBase& builder, std::string_view name, unsigned d) -> llvm::Value* {
    if (name == dialect::LocalId) return slice.getArg(slice_argument::X + d);
    if (name == dialect::LocalLinearId) return slice.getArg(slice_argument::Index);
    if (name == dialect::SubGroupLocalId) return builder.getInt32(0);
    if (name == dialect::SubGroupId)
      return builder.CreateTrunc(slice.getArg(slice_argument::Index), builder.getInt32Ty());
    return nullptr;
  });
}

} // namespace zeroth::codegen
