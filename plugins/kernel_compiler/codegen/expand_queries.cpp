#include "expand_queries.hpp"

#include "dialect_calls.hpp"
#include "kernel_metadata.hpp"
#include "unnoticed_groups.hpp"

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

namespace zeroth::codegen {

namespace {

class Expander {
public:
  Expander(llvm::Function& kernel, uint32_t sub_group_size, bool all_full = false)
      : kernel_(kernel), builder_(kernel.getContext()), sub_group_size_(sub_group_size), all_full_(all_full),
        required_(required_group_size(kernel)) {}

  void run() {
    llvm::SmallVector<llvm::CallInst*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(kernel_))
      if (!dialect_name(&instruction).empty()) calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
    for (llvm::CallInst* call : calls) replace(call);
  }

private:
  void replace(llvm::CallInst* call) {
    builder_.SetInsertPoint(call);
    llvm::Value* value = expand(call);
    if (!value) return;
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }

  llvm::Value* expand(llvm::CallInst* call) {
    using namespace dialect;
    std::string_view name = dialect_name(call);
    for (std::string_view query :
         {GlobalId, GlobalSize, GlobalOffset, LocalId, LocalSize, EnqueuedLocalSize, GroupId, NumGroups})
      if (name == query) return dimensional(query, call->getArgOperand(0));
    if (name == GlobalLinearId) return global_linear();
    if (sub_group_size_ == 0) return nullptr;
    if (name == SubGroupMaxSize) return builder_.getInt32(sub_group_size_);
    if (name == NumSubGroups || name == NumEnqueuedSubGroups)
      return builder_.CreateTrunc(sub_group_count(), builder_.getInt32Ty());
    if (name == SubGroupSize) return all_full_ ? builder_.getInt32(sub_group_size_) : current_sub_group_size();
    return nullptr;
  }

  llvm::Value* dimensional(std::string_view query, llvm::Value* dimension) {
    if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(dimension))
      return in_dimension(query, constant->getZExtValue() < 3 ? unsigned(constant->getZExtValue()) : 0);
    llvm::Value* result = in_dimension(query, 0);
    for (unsigned d = 1; d < 3; ++d)
      result = builder_.CreateSelect(builder_.CreateICmpEQ(dimension, llvm::ConstantInt::get(dimension->getType(), d)),
                                     in_dimension(query, d), result);
    return result;
  }

  llvm::Value* in_dimension(std::string_view query, unsigned d) {
    using namespace dialect;
    if (query == GlobalId)
      return add(in_dimension(GlobalOffset, d), add(mul(primitive(GroupId, d), size(d)), primitive(LocalId, d)));
    if (query == GlobalSize) return mul(primitive(NumGroups, d), size(d));
    if (query == LocalSize || query == EnqueuedLocalSize) return size(d);
    return primitive(query, d);
  }

  llvm::Value* size(unsigned d) {
    if (required_[0]) return builder_.getInt64(required_[d]);
    return primitive(dialect::EnqueuedLocalSize, d);
  }

  llvm::Value* primitive(std::string_view name, unsigned d) {
    auto* type = llvm::FunctionType::get(builder_.getInt64Ty(), {builder_.getInt32Ty()}, false);
    llvm::CallInst* call = builder_.CreateCall(declare_query(*kernel_.getParent(), name, type), builder_.getInt32(d));
    call->addRetAttr(llvm::Attribute::NoUndef);
    auto [low, end] = range(name, d);
    if (end) call->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(64, low), llvm::APInt(64, end)));
    return call;
  }

  // First value and the one behind the last; zeros: any.
  std::pair<uint64_t, uint64_t> range(std::string_view name, unsigned d) const {
    constexpr uint64_t MaxGroupSize = 1 << 16, MaxGroups = uint64_t(1) << 32;
    const bool is_known = required_[0] && (d != 0 || !groups_go_unnoticed(kernel_)); // rows go on through groups
    if (name == dialect::LocalId) return {0, is_known ? required_[d] : MaxGroupSize};
    if (name == dialect::EnqueuedLocalSize) return {1, MaxGroupSize + 1};
    if (name == dialect::GroupId) return {0, MaxGroups};
    if (name == dialect::NumGroups) return {1, MaxGroups};
    return {0, 0};
  }

  llvm::Value* global_linear() {
    auto id = [&](unsigned d) {
      return add(mul(primitive(dialect::GroupId, d), size(d)), primitive(dialect::LocalId, d));
    };
    auto extent = [&](unsigned d) { return in_dimension(dialect::GlobalSize, d); };
    return add(mul(add(mul(id(2), extent(1)), id(1)), extent(0)), id(0));
  }

  llvm::Value* group_items() { return mul(mul(size(0), size(1)), size(2)); }

  llvm::Value* sub_group_count() {
    return builder_.CreateUDiv(add(group_items(), builder_.getInt64(sub_group_size_ - 1)),
                               builder_.getInt64(sub_group_size_));
  }

  llvm::Value* current_sub_group_size() {
    auto* type = llvm::FunctionType::get(builder_.getInt32Ty(), false);
    llvm::Value* id = builder_.CreateCall(declare_query(*kernel_.getParent(), dialect::SubGroupId, type));
    llvm::Value* before = mul(builder_.CreateZExt(id, builder_.getInt64Ty()), builder_.getInt64(sub_group_size_));
    llvm::Value* left = builder_.CreateSub(group_items(), before);
    llvm::Value* full = builder_.getInt64(sub_group_size_);
    return builder_.CreateTrunc(builder_.CreateSelect(builder_.CreateICmpULT(left, full), left, full),
                                builder_.getInt32Ty());
  }

  llvm::Value* add(llvm::Value* a, llvm::Value* b) { return builder_.CreateAdd(a, b, "", true, true); }
  llvm::Value* mul(llvm::Value* a, llvm::Value* b) { return builder_.CreateMul(a, b, "", true, true); }

  llvm::Function& kernel_;
  llvm::IRBuilder<> builder_;
  uint32_t sub_group_size_;
  bool all_full_;
  std::array<uint32_t, 3> required_;
};

} // namespace

void expand_queries(llvm::Function& kernel) { Expander(kernel, 0).run(); }

void expand_sub_group_queries(llvm::Function& kernel, uint32_t sub_group_size, bool all_full) {
  Expander(kernel, sub_group_size, all_full).run();
}

} // namespace zeroth::codegen
