#include "random_program.hpp"

#include "../../dialect.hpp"

#include <functional>
#include <random>

#include <llvm/IR/IRBuilder.h>

namespace zeroth::codegen::testing {

namespace {

constexpr unsigned Variables = 5;

class Generator {
public:
  Generator(llvm::Module& module, uint32_t seed) : module_(module), builder_(module.getContext()), random_(seed) {}

  void run() {
    llvm::Type *global = builder_.getPtrTy(dialect::Global), *local = builder_.getPtrTy(dialect::Local);
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {global, global, local, builder_.getInt32Ty()}, false);
    kernel_ = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "random", module_);
    kernel_->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
    builder_.SetInsertPoint(block("entry"));
    end_ = block("end");
    global_id_ = query(dialect::GlobalId);
    local_id_ = query(dialect::LocalId);
    for (unsigned i = 0; i < Variables; ++i) variables_.push_back(builder_.CreateAlloca(builder_.getInt32Ty()));
    array_ = builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt32Ty(), 8));
    for (unsigned i = 0; i < 8; ++i) builder_.CreateStore(constant(), cell_of_array(builder_.getInt32(i)));
    set(0, builder_.CreateTrunc(global_id_, builder_.getInt32Ty()));
    set(1, builder_.CreateTrunc(local_id_, builder_.getInt32Ty()));
    for (unsigned i = 2; i < Variables; ++i) set(i, constant());
    for (unsigned i = 0, count = 2 + pick(3); i < count; ++i) {
      statements(3, pick(4) + 2);
      if (pick(2)) exchange();
      if (pick(5) == 0) uniform_loop_with_exchange();
    }
    may_return_ = true;
    statements(2, 3);
    builder_.CreateBr(end_);
    finish();
  }

private:
  unsigned pick(unsigned bound) { return random_() % bound; }
  llvm::BasicBlock* block(const char* name) { return llvm::BasicBlock::Create(module_.getContext(), name, kernel_); }
  llvm::Value* variable() {
    llvm::BasicBlock& entry = kernel_->getEntryBlock();
    return llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(builder_.getInt32Ty());
  }
  llvm::Value* constant() { return builder_.getInt32(pick(17) - 4); }
  llvm::Value* get(unsigned i) { return builder_.CreateLoad(builder_.getInt32Ty(), variables_[i]); }
  void set(unsigned i, llvm::Value* value) { builder_.CreateStore(value, variables_[i]); }
  llvm::Value* any_variable() { return get(pick(Variables)); }
  llvm::Value* cell_of_array(llvm::Value* index) {
    return builder_.CreateGEP(builder_.getInt32Ty(), array_,
                              builder_.CreateZExt(builder_.CreateAnd(index, 7), builder_.getInt64Ty()));
  }

  llvm::Value* query(std::string_view name) {
    auto* type = llvm::FunctionType::get(builder_.getInt64Ty(), {builder_.getInt32Ty()}, false);
    return builder_.CreateCall(module_.getOrInsertFunction(llvm::StringRef(name), type), {builder_.getInt32(0)});
  }

  llvm::Value* input(llvm::Value* index) {
    llvm::Value* inside = builder_.CreateZExt(builder_.CreateAnd(index, RandomInputs - 1), builder_.getInt64Ty());
    return builder_.CreateLoad(builder_.getInt32Ty(),
                               builder_.CreateGEP(builder_.getInt32Ty(), kernel_->getArg(0), inside));
  }

  llvm::Value* expression(unsigned depth) {
    if (depth == 0) {
      switch (pick(5)) {
      case 0:
        return constant();
      case 1:
        return input(any_variable());
      case 2:
        return builder_.CreateLoad(builder_.getInt32Ty(), cell_of_array(any_variable()));
      default:
        return any_variable();
      }
    }
    llvm::Value *a = expression(depth - 1), *b = expression(depth - 1);
    switch (pick(10)) {
    case 0:
      return builder_.CreateSub(a, b);
    case 1:
      return builder_.CreateMul(a, b);
    case 2:
      return builder_.CreateXor(a, b);
    case 3:
      return builder_.CreateAnd(a, b);
    case 4:
      return builder_.CreateLShr(a, builder_.CreateAnd(b, 15));
    case 5:
      return builder_.CreateSDiv(a, builder_.CreateOr(builder_.CreateAnd(b, 7), 1));
    case 6:
      return builder_.CreateSelect(condition(), a, b);
    case 7:
      return input(builder_.CreateAdd(a, b));
    default:
      return builder_.CreateAdd(a, b);
    }
  }

  llvm::Value* condition() {
    static constexpr llvm::CmpInst::Predicate Predicates[] = {llvm::CmpInst::ICMP_SLT, llvm::CmpInst::ICMP_EQ,
                                                              llvm::CmpInst::ICMP_UGT, llvm::CmpInst::ICMP_NE};
    llvm::Value* left =
        pick(4) ? builder_.CreateAnd(any_variable(), 7) : kernel_->getArg(3); // sometimes the same for all
    return builder_.CreateICmp(Predicates[pick(4)], left, builder_.getInt32(pick(8)));
  }

  void statements(unsigned depth, unsigned count) {
    while (count-- > 0) statement(depth);
  }

  void statement(unsigned depth) {
    switch (depth == 0 ? 0 : pick(8)) {
    case 1:
    case 2:
      return branch(depth);
    case 3:
      return loop(depth);
    case 4:
      return choice(depth);
    case 5:
      if (!breaks_.empty()) return jump_if(pick(2) ? breaks_.back() : continues_.back());
      if (may_return_) return jump_if(end_);
      return assign();
    case 6:
      builder_.CreateStore(any_variable(), cell_of_array(any_variable()));
      return;
    default:
      return assign();
    }
  }

  void assign() { set(pick(Variables), expression(pick(3))); }

  void branch(unsigned depth) {
    llvm::BasicBlock *then = block("then"), *otherwise = block("else"), *after = block("after");
    builder_.CreateCondBr(condition(), then, otherwise);
    builder_.SetInsertPoint(then);
    statements(depth - 1, 1 + pick(3));
    builder_.CreateBr(after);
    builder_.SetInsertPoint(otherwise);
    statements(depth - 1, pick(3));
    builder_.CreateBr(after);
    builder_.SetInsertPoint(after);
  }

  void loop(unsigned depth) {
    llvm::BasicBlock *head = block("head"), *body = block("body"), *next = block("next"), *after = block("behind");
    llvm::Value* counter = variable();
    llvm::Value* limit = pick(2) ? builder_.CreateAnd(any_variable(), 7) : builder_.getInt32(pick(6));
    builder_.CreateStore(builder_.getInt32(0), counter);
    builder_.CreateBr(head);
    builder_.SetInsertPoint(head);
    llvm::Value* i = builder_.CreateLoad(builder_.getInt32Ty(), counter);
    builder_.CreateCondBr(builder_.CreateICmpSLT(i, limit), body, after);
    builder_.SetInsertPoint(body);
    breaks_.push_back(after);
    continues_.push_back(next);
    statements(depth - 1, 1 + pick(3));
    breaks_.pop_back();
    continues_.pop_back();
    builder_.CreateBr(next);
    builder_.SetInsertPoint(next);
    builder_.CreateStore(builder_.CreateAdd(builder_.CreateLoad(builder_.getInt32Ty(), counter), builder_.getInt32(1)),
                         counter);
    builder_.CreateBr(head);
    builder_.SetInsertPoint(after);
  }

  void choice(unsigned depth) {
    llvm::BasicBlock* after = block("chosen");
    llvm::BasicBlock* other = block("default");
    llvm::SwitchInst* choose = builder_.CreateSwitch(builder_.CreateAnd(any_variable(), 3), other);
    llvm::BasicBlock* fall = nullptr;
    for (unsigned i = 0; i < 3; ++i) {
      llvm::BasicBlock* here = block("case");
      if (fall) {
        builder_.SetInsertPoint(fall);
        builder_.CreateBr(pick(3) ? after : here); // sometimes falls through
      }
      choose->addCase(builder_.getInt32(i), here);
      builder_.SetInsertPoint(here);
      statements(depth - 1, 1 + pick(2));
      fall = builder_.GetInsertBlock();
    }
    builder_.SetInsertPoint(fall);
    builder_.CreateBr(after);
    builder_.SetInsertPoint(other);
    builder_.CreateBr(after);
    builder_.SetInsertPoint(after);
  }

  void jump_if(llvm::BasicBlock* target) {
    llvm::BasicBlock* stay = block("stay");
    builder_.CreateCondBr(condition(), target, stay);
    builder_.SetInsertPoint(stay);
  }

  void barrier() {
    llvm::Type* i32 = builder_.getInt32Ty();
    llvm::FunctionCallee callee =
        module_.getOrInsertFunction(llvm::StringRef(dialect::Barrier), builder_.getVoidTy(), i32, i32, i32);
    llvm::cast<llvm::Function>(callee.getCallee())->setConvergent();
    builder_.CreateCall(callee, {builder_.getInt32(2), builder_.getInt32(2), builder_.getInt32(0x108)});
  }

  // cells[l] = v; barrier; v = cells[(l + k) % size]; barrier
  void exchange() {
    unsigned variable = pick(Variables);
    llvm::Value* size = query(dialect::LocalSize);
    auto cell = [&](llvm::Value* index) {
      return builder_.CreateGEP(builder_.getInt32Ty(), kernel_->getArg(2), index);
    };
    builder_.CreateStore(get(variable), cell(local_id_));
    barrier();
    set(pick(Variables), builder_.CreateLoad(builder_.getInt32Ty(),
                                             cell(builder_.CreateURem(
                                                 builder_.CreateAdd(local_id_, builder_.getInt64(pick(9))), size))));
    barrier();
  }

  void uniform_loop_with_exchange() {
    llvm::BasicBlock *body = block("rounds"), *after = block("rounds.done");
    llvm::Value* counter = variable();
    builder_.CreateStore(builder_.getInt32(0), counter);
    builder_.CreateBr(body);
    builder_.SetInsertPoint(body);
    statements(1, 2);
    exchange();
    llvm::Value* next = builder_.CreateAdd(builder_.CreateLoad(builder_.getInt32Ty(), counter), builder_.getInt32(1));
    builder_.CreateStore(next, counter);
    builder_.CreateCondBr(builder_.CreateICmpSLT(next, kernel_->getArg(3)), body, after);
    builder_.SetInsertPoint(after);
  }

  void finish() {
    builder_.SetInsertPoint(end_);
    for (unsigned i = 0; i < RandomResults; ++i) {
      llvm::Value* index =
          builder_.CreateAdd(builder_.CreateMul(global_id_, builder_.getInt64(RandomResults)), builder_.getInt64(i));
      builder_.CreateStore(get(i), builder_.CreateGEP(builder_.getInt32Ty(), kernel_->getArg(1), index));
    }
    builder_.CreateRetVoid();
  }

  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
  std::mt19937 random_;
  llvm::Function* kernel_ = nullptr;
  llvm::BasicBlock* end_ = nullptr;
  llvm::Value *global_id_ = nullptr, *local_id_ = nullptr, *array_ = nullptr;
  std::vector<llvm::Value*> variables_;
  std::vector<llvm::BasicBlock*> breaks_, continues_;
  bool may_return_ = false;
};

} // namespace

std::unique_ptr<llvm::Module> random_program(llvm::LLVMContext& context, uint32_t seed) {
  auto module = std::make_unique<llvm::Module>("random", context);
  Generator(*module, seed).run();
  return module;
}

} // namespace zeroth::codegen::testing
