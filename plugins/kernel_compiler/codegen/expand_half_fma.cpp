#include "expand_half_fma.hpp"

#include "half_arithmetic.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

namespace zeroth::codegen {

namespace {

// The product of two halves is exact in single precision; the sum is not. Where it is not, the odd one of the two
// neighbours of the exact sum is taken ("round to odd"): rounding that to half, with 13 bits less, is right as if it
// were the only rounding.
class HalfFma {
public:
  HalfFma(llvm::IRBuilder<>& builder, const llvm::IntrinsicInst& call)
      : builder_(builder), half_(call.getType()), single_(half_->getWithNewType(builder.getFloatTy())),
        bits_(half_->getWithNewType(builder.getInt32Ty())) {
    for (unsigned n = 0; n < 3; ++n) operands_[n] = builder.CreateFPExt(call.getArgOperand(n), single_);
  }

  // Rounding down and up gives both neighbours.
  llvm::Value* by_rounding_modes() {
    llvm::Value *low = rounded_sum(9), *high = rounded_sum(10); // _MM_FROUND_TO_NEG_INF, _TO_POS_INF, no exceptions
    return chosen(is_odd(builder_.CreateBitCast(low, bits_)), low, high);
  }

  // What rounding to nearest has lost (two_sum) tells where the other neighbour is. NaN and infinity have lost NaN.
  llvm::Value* by_rest() {
    llvm::Value *product = builder_.CreateFMul(operands_[0], operands_[1]), *addend = operands_[2];
    llvm::Value* sum = builder_.CreateFAdd(product, addend);
    llvm::Value* of_addend = builder_.CreateFSub(sum, product);
    llvm::Value* of_product = builder_.CreateFSub(sum, of_addend);
    llvm::Value* lost =
        builder_.CreateFAdd(builder_.CreateFSub(product, of_product), builder_.CreateFSub(addend, of_addend));
    llvm::Value* bits = builder_.CreateBitCast(sum, bits_);
    llvm::Value* up_or_down = builder_.CreateOr(
        builder_.CreateAShr(builder_.CreateXor(bits, builder_.CreateBitCast(lost, bits_)), integer(31)), integer(1));
    llvm::Value* neighbour = builder_.CreateBitCast(builder_.CreateAdd(bits, up_or_down), single_);
    llvm::Value* is_exact = builder_.CreateFCmpUEQ(lost, llvm::ConstantFP::getZero(single_));
    return chosen(builder_.CreateOr(is_odd(bits), is_exact), sum, neighbour);
  }

private:
  llvm::Constant* integer(uint32_t value) { return llvm::ConstantInt::get(bits_, value); }
  llvm::Value* is_odd(llvm::Value* bits) {
    return builder_.CreateICmpNE(builder_.CreateAnd(bits, integer(1)), integer(0));
  }
  llvm::Value* rounded_sum(unsigned mode) {
    return builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vfmadd_ps_512, {},
                                    {operands_[0], operands_[1], operands_[2], builder_.getInt32(mode)});
  }
  llvm::Value* chosen(llvm::Value* first, llvm::Value* a, llvm::Value* b) {
    return builder_.CreateFPTrunc(builder_.CreateSelect(first, a, b), half_);
  }

  llvm::IRBuilder<>& builder_;
  llvm::Type *half_, *single_, *bits_;
  llvm::Value* operands_[3];
};

bool fills_512_bits(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && vector->getNumElements() == 16;
}

} // namespace

void expand_half_fma(llvm::Module& module, const llvm::TargetMachine& machine) {
  if (has_half_arithmetic(machine)) return;
  bool rounds = machine.getTargetTriple().isX86() && machine.getMCSubtargetInfo()->checkFeatures("+avx512f");
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call || call->getIntrinsicID() != llvm::Intrinsic::fma || !call->getType()->getScalarType()->isHalfTy())
        continue;
      llvm::IRBuilder<> builder(call); // no fast-math flags: each rounding counts
      HalfFma fma(builder, *call);
      call->replaceAllUsesWith(rounds && fills_512_bits(call->getType()) ? fma.by_rounding_modes() : fma.by_rest());
      call->eraseFromParent();
    }
}

} // namespace zeroth::codegen
