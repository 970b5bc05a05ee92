#include "group_operations.hpp"

#include "codegen.hpp"
#include "dialect_calls.hpp"
#include "group_arithmetic.hpp"
#include "slice_function.hpp"

#include <cstddef>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace zeroth::codegen {

namespace {

constexpr unsigned SlotBytes = 8;

llvm::SmallVector<llvm::CallInst*> calls_with(llvm::Function& function, std::string_view prefix) {
  llvm::SmallVector<llvm::CallInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (dialect_name(&instruction).starts_with(prefix)) calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  return calls;
}

// One work-group operation: value into this work-item's slot, barrier, read what is needed, barrier.
class WorkGroupOperation {
public:
  explicit WorkGroupOperation(llvm::CallInst* call)
      : call_(call), builder_(call), module_(*call->getModule()),
        operation_(parse_group_operation(dialect_name(call), dialect::WorkGroupPrefix)),
        type_(call->getType()->isIntegerTy(1) ? builder_.getInt8Ty() : call->getType()) {}

  void lower() {
    llvm::Value* scratch = load_field(builder_, call_->getFunction()->getArg(slice_argument::Worker),
                                      offsetof(zeroth_worker, scratch), builder_.getPtrTy());
    slots_ = scratch;
    llvm::Value* value = call_->getArgOperand(0);
    builder_.CreateStore(value->getType() == type_ ? value : builder_.CreateZExt(value, type_), slot(linear_id()));
    barrier();
    llvm::Value* result = operation_.kind == "broadcast" ? read_broadcast() : accumulate();
    barrier();
    if (result->getType() != call_->getType()) result = builder_.CreateTrunc(result, call_->getType());
    call_->replaceAllUsesWith(result);
    call_->eraseFromParent();
  }

private:
  llvm::Value* query(std::string_view name) {
    return builder_.CreateCall(declare_query(module_, name, llvm::FunctionType::get(builder_.getInt64Ty(), false)));
  }
  llvm::Value* extent(unsigned d) {
    auto* type = llvm::FunctionType::get(builder_.getInt64Ty(), {builder_.getInt32Ty()}, false);
    return builder_.CreateCall(declare_query(module_, dialect::EnqueuedLocalSize, type), builder_.getInt32(d));
  }
  llvm::Value* linear_id() { return query(dialect::LocalLinearId); }
  llvm::Value* slot(llvm::Value* index) { return builder_.CreateInBoundsGEP(builder_.getInt64Ty(), slots_, index); }

  void barrier() {
    llvm::Type* i32 = builder_.getInt32Ty();
    llvm::FunctionCallee callee =
        module_.getOrInsertFunction(llvm::StringRef(dialect::Barrier), builder_.getVoidTy(), i32, i32, i32);
    llvm::cast<llvm::Function>(callee.getCallee())->setConvergent();
    constexpr uint32_t WorkGroup = 2, LocalAndGlobal = 0x308;
    builder_
        .CreateCall(callee,
                    {builder_.getInt32(WorkGroup), builder_.getInt32(WorkGroup), builder_.getInt32(LocalAndGlobal)})
        ->setConvergent();
  }

  llvm::Value* read_broadcast() {
    llvm::Value *x = call_->getArgOperand(1), *y = call_->getArgOperand(2), *z = call_->getArgOperand(3);
    llvm::Value* row = builder_.CreateAdd(builder_.CreateMul(z, extent(1)), y);
    return builder_.CreateLoad(type_, slot(builder_.CreateAdd(builder_.CreateMul(row, extent(0)), x)));
  }

  llvm::StringRef op() const {
    if (operation_.kind == "all") return "and";
    return operation_.kind == "any" ? "or" : operation_.operator_;
  }

  llvm::Value* end() {
    if (operation_.kind == "scan_exclusive") return linear_id();
    if (operation_.kind == "scan_inclusive") return builder_.CreateAdd(linear_id(), builder_.getInt64(1));
    return builder_.CreateMul(builder_.CreateMul(extent(0), extent(1)), extent(2));
  }

  // acc = neutral; for (i = 0; i < end; ++i) acc = acc op slot[i];
  llvm::Value* accumulate() {
    llvm::Value* last = end();
    llvm::Constant* neutral = neutral_element(op(), type_);
    llvm::BasicBlock* before = call_->getParent();
    llvm::BasicBlock* after = before->splitBasicBlock(call_, "group.done");
    auto* head = llvm::BasicBlock::Create(call_->getContext(), "group.head", before->getParent(), after);
    auto* body = llvm::BasicBlock::Create(call_->getContext(), "group.add", before->getParent(), after);
    before->getTerminator()->setSuccessor(0, head);
    builder_.SetInsertPoint(head);
    llvm::PHINode* i = builder_.CreatePHI(builder_.getInt64Ty(), 2);
    llvm::PHINode* sum = builder_.CreatePHI(type_, 2);
    builder_.CreateCondBr(builder_.CreateICmpULT(i, last), body, after);
    builder_.SetInsertPoint(body);
    llvm::Value* next = combine(builder_, op(), sum, builder_.CreateLoad(type_, slot(i)));
    i->addIncoming(builder_.getInt64(0), before);
    i->addIncoming(builder_.CreateAdd(i, builder_.getInt64(1)), body);
    sum->addIncoming(neutral, before);
    sum->addIncoming(next, body);
    builder_.CreateBr(head);
    builder_.SetInsertPoint(call_);
    return sum;
  }

  llvm::CallInst* call_;
  llvm::IRBuilder<> builder_;
  llvm::Module& module_;
  GroupOperation operation_;
  llvm::Type* type_;
  llvm::Value* slots_ = nullptr;
};

llvm::Value* alone(llvm::CallInst* call, const GroupOperation& operation) {
  if (operation.kind == "scan_exclusive") return neutral_element(operation.operator_, call->getType());
  llvm::Value* value = call->getArgOperand(0);
  llvm::IRBuilder<> builder(call);
  return operation.kind == "ballot" ? builder.CreateZExt(value, call->getType()) : value;
}

} // namespace

unsigned lower_work_group_operations(llvm::Function& body) {
  llvm::SmallVector<llvm::CallInst*> calls = calls_with(body, dialect::WorkGroupPrefix);
  for (llvm::CallInst* call : calls) WorkGroupOperation(call).lower();
  return calls.empty() ? 0 : SlotBytes;
}

void lower_sub_groups_of_one(llvm::Function& slice) {
  for (llvm::CallInst* call : calls_with(slice, dialect::SubGroupPrefix)) {
    call->replaceAllUsesWith(alone(call, parse_group_operation(dialect_name(call), dialect::SubGroupPrefix)));
    call->eraseFromParent();
  }
}

static llvm::SmallVector<llvm::CallInst*> narrow_barriers(llvm::Function& body) {
  constexpr uint64_t SubGroupScope = 3;
  llvm::SmallVector<llvm::CallInst*> narrow;
  for (llvm::CallInst* call : calls_with(body, dialect::Barrier)) {
    auto* scope = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
    if (scope && scope->getZExtValue() >= SubGroupScope) narrow.push_back(call);
  }
  return narrow;
}

bool has_narrow_barriers(llvm::Function& body) { return !narrow_barriers(body).empty(); }

void loosen_narrow_barriers(llvm::Function& body) {
  for (llvm::CallInst* call : narrow_barriers(body)) {
    new llvm::FenceInst(call->getContext(), llvm::AtomicOrdering::AcquireRelease, llvm::SyncScope::SingleThread,
                        call->getIterator());
    call->eraseFromParent();
  }
}

} // namespace zeroth::codegen
