#include "row_group.hpp"

#include <llvm/IR/Module.h>

namespace zeroth::codegen {

namespace {

class RowGroup {
public:
  RowGroup(llvm::Function& slice, const Shape& shape)
      : module_(*slice.getParent()), shape_(shape), builder_(module_.getContext()),
        group_(*create_internal(module_, group_function_type(module_.getContext()), slice.getName() + ".group")) {
    builder_.SetInsertPoint(block("entry"));
    extent_ = group_extents(builder_, group_.getArg(group_argument::Launch), shape);
    if (shape.spans_groups())
      extent_[0] = builder_.CreateMul(extent_[0], group_.getArg(group_argument::Groups), "row", true, true);
  }

  // for (z …) for (y …) { slices of the row; the rest of the row }
  llvm::Function* make(llvm::Function& slice, const SmallerSlice& rest) {
    llvm::Value* zero = builder_.getInt64(0);
    llvm::Value* left = rest.function ? builder_.CreateURem(extent_[0], builder_.getInt64(shape_.width())) : zero;
    llvm::Value* whole = builder_.CreateSub(extent_[0], left, "whole", true, true);
    llvm::BasicBlock *before = builder_.GetInsertBlock(), *row = block("row");
    builder_.CreateBr(row);
    builder_.SetInsertPoint(row);
    llvm::PHINode *y = builder_.CreatePHI(builder_.getInt64Ty(), 2, "y"),
                  *z = builder_.CreatePHI(builder_.getInt64Ty(), 2, "z");
    run(slice, {zero, y, z}, whole, shape_.width())->addFnAttr(llvm::Attribute::AlwaysInline);
    if (rest.function) run(*rest.function, {whole, y, z}, extent_[0], uint64_t(rest.parts) * shape_.lanes);
    Position next = advance(builder_, {zero, y, z}, {builder_.getInt64(1), extent_[1], extent_[2]}, 1);
    for (auto [phi, value] : {std::pair(y, next[1]), std::pair(z, next[2])}) {
      phi->addIncoming(zero, before);
      phi->addIncoming(value, builder_.GetInsertBlock());
    }
    llvm::BasicBlock* done = block("done");
    builder_.CreateCondBr(builder_.CreateICmpULT(next[2], extent_[2]), row, done);
    builder_.SetInsertPoint(done);
    builder_.CreateRetVoid();
    return &group_;
  }

private:
  llvm::BasicBlock* block(const char* name) { return llvm::BasicBlock::Create(module_.getContext(), name, &group_); }

  // for (; x < end; x += step) slice
  llvm::CallInst* run(llvm::Function& slice, const Position& first, llvm::Value* end, uint64_t step) {
    llvm::BasicBlock *before = builder_.GetInsertBlock(), *loop = block("slice"), *after = block("slices.done");
    builder_.CreateCondBr(builder_.CreateICmpULT(first[0], end), loop, after);
    builder_.SetInsertPoint(loop);
    llvm::PHINode* x = builder_.CreatePHI(builder_.getInt64Ty(), 2, "x");
    llvm::SmallVector<llvm::Value*> arguments;
    for (unsigned i = 0; i < group_argument::Groups; ++i) arguments.push_back(group_.getArg(i));
    arguments.append({x, first[1], first[2], builder_.getInt64(0), extent_[0]}); // nobody asks for the slice's number
    llvm::CallInst* call = builder_.CreateCall(&slice, arguments);
    llvm::Value* next = builder_.CreateAdd(x, builder_.getInt64(step), "", true, true);
    x->addIncoming(first[0], before);
    x->addIncoming(next, builder_.GetInsertBlock());
    builder_.CreateCondBr(builder_.CreateICmpULT(next, end), loop, after);
    builder_.SetInsertPoint(after);
    return call;
  }

  llvm::Module& module_;
  const Shape& shape_;
  llvm::IRBuilder<> builder_;
  llvm::Function& group_;
  Position extent_;
};

} // namespace

llvm::Function* make_row_group(llvm::Function& slice, const Shape& shape, const SmallerSlice& rest) {
  return RowGroup(slice, shape).make(slice, rest);
}

} // namespace zeroth::codegen
