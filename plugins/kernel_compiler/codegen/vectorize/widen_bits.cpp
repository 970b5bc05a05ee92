// Bitcasts between vectors of different lengths, such as as_uchar4(uint): the bits of a component come from others.
#include "widen_instruction.hpp"

#include <algorithm>

namespace zeroth::codegen {

namespace {

unsigned bits_of_component(const llvm::Type* type) { return type->getScalarType()->getPrimitiveSizeInBits(); }

class BitsWidener {
public:
  BitsWidener(WideState& state, const llvm::CastInst& cast)
      : state_(state), cast_(cast), from_bits_(bits_of_component(cast.getSrcTy())),
        to_bits_(bits_of_component(cast.getDestTy())) {}

  void widen() {
    Values result;
    for (unsigned part = 0; part < state_.parts(); ++part)
      for (unsigned c = 0; c < WideState::components(cast_.getDestTy()); ++c) result.push_back(component(part, c));
    state_.set_vectors(&cast_, std::move(result));
  }

private:
  // Little-endian: component 0 holds the lowest bits.
  llvm::Value* component(unsigned part, unsigned c) {
    const unsigned low = c * to_bits_, high = low + to_bits_;
    llvm::Value* joined = nullptr;
    for (unsigned source = low / from_bits_; source * from_bits_ < high; ++source) {
      llvm::Value* piece = moved(integers(part, source), int(source * from_bits_) - int(low));
      joined = joined ? state_.builder.CreateOr(joined, piece) : piece;
    }
    return state_.builder.CreateBitCast(joined, state_.vector_type(cast_.getDestTy()->getScalarType()));
  }

  llvm::Value* integers(unsigned part, unsigned c) {
    return state_.builder.CreateBitCast(state_.vector(cast_.getOperand(0), part, c), integer_type(from_bits_));
  }

  // Bit 0 of the source becomes bit `distance` of an integer of the result's size; what falls off is another's.
  llvm::Value* moved(llvm::Value* source, int distance) {
    Builder& builder = state_.builder;
    if (distance < 0) source = builder.CreateLShr(source, uint64_t(-distance));
    llvm::Value* sized = builder.CreateZExtOrTrunc(source, integer_type(to_bits_));
    return distance > 0 ? builder.CreateShl(sized, uint64_t(distance)) : sized;
  }

  llvm::Type* integer_type(unsigned bits) { return state_.vector_type(state_.builder.getIntNTy(bits)); }

  WideState& state_;
  const llvm::CastInst& cast_;
  unsigned from_bits_, to_bits_;
};

} // namespace

void widen_bits(WideState& state, const llvm::CastInst& cast) { BitsWidener(state, cast).widen(); }

} // namespace zeroth::codegen
