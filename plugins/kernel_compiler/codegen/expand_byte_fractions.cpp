#include "expand_byte_fractions.hpp"

#include "dialect_calls.hpp"
#include "target_machine.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

namespace zeroth::codegen {

namespace {

constexpr unsigned RoundingLanes = 16; // of the vectors that can choose how they round: 512 bits

class Expansion {
public:
  Expansion(llvm::CallInst& call, bool chooses_rounding)
      : builder_(&call), word_(call.getArgOperand(0)), type_(call.getType()),
        byte_(unsigned(llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getZExtValue())) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type_);
    by_rounding_down_ = chooses_rounding && vector && vector->getNumElements() == RoundingLanes;
  }

  llvm::Value* emit() { return by_rounding_down_ ? round_down() : correct(); }

private:
  // A byte b put in place of the last 8 bits of 2^23 makes 2^23 + b, without a conversion. The sum below is b / 256
  // and a little more, rounded towards zero: b / 255 rounded to nearest, for each b.
  llvm::Value* round_down() {
    llvm::Value* bits = byte_ ? builder_.CreateLShr(word_, integer(8 * byte_)) : word_;
    if (byte_ < 3) bits = builder_.CreateAnd(bits, integer(0xff));
    llvm::Value* number = builder_.CreateBitCast(builder_.CreateOr(bits, integer(0x4b000000)), type_);
    constexpr double Factor = 0x1.010102p-8;
    llvm::Function* sum = llvm::Intrinsic::getOrInsertDeclaration(builder_.GetInsertBlock()->getModule(),
                                                                  llvm::Intrinsic::x86_avx512_vfmadd_ps_512, {});
    constexpr unsigned TowardsZero = 3, NoExceptions = 8;
    return builder_.CreateCall(
        sum, {number, real(Factor), real(-0x1p23 * Factor), builder_.getInt32(TowardsZero | NoExceptions)});
  }

  // 1 / 255 in two pieces.
  llvm::Value* correct() {
    const unsigned shift = byte_ == 3 ? 0 : 8 * byte_;
    llvm::Value* bits =
        byte_ == 3 ? builder_.CreateLShr(word_, integer(24)) : builder_.CreateAnd(word_, integer(0xffu << shift));
    const double scale = double(1u << shift);
    llvm::Value* number = builder_.CreateSIToFP(bits, type_);
    llvm::Value* low = builder_.CreateFMul(number, real(-0x1.fdfdfep-33 / scale));
    return builder_.CreateIntrinsic(llvm::Intrinsic::fma, {type_}, {number, real(0x1.010102p-8 / scale), low});
  }

  llvm::Constant* integer(uint32_t value) { return llvm::ConstantInt::get(word_->getType(), value); }
  llvm::Constant* real(double value) { return llvm::ConstantFP::get(type_, value); }

  llvm::IRBuilder<> builder_;
  llvm::Value* word_;
  llvm::Type* type_;
  unsigned byte_;
  bool by_rounding_down_;
};

} // namespace

void expand_byte_fractions(llvm::Module& module, const llvm::TargetMachine& machine) {
  const bool chooses_rounding = vector_bits(machine) == 512;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (dialect_name(&instruction).starts_with(dialect::ByteFraction)) {
        auto& call = llvm::cast<llvm::CallInst>(instruction);
        call.replaceAllUsesWith(Expansion(call, chooses_rounding).emit());
        call.eraseFromParent();
      }
}

} // namespace zeroth::codegen
