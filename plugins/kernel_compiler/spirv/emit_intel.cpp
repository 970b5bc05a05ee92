// Instructions of Intel's extensions that fit no other topic.
#include "emitter.hpp"

#include <bit>

namespace zeroth::spirv {
namespace {

using llvm::Value;

llvm::Align literal_alignment(const Instruction& inst, size_t index) {
  const uint32_t alignment = inst.operand(index);
  if (!std::has_single_bit(alignment)) inst.fail("has an alignment that is no power of two");
  return llvm::Align(std::min(alignment, 1u << 16));
}

Value* mask_operand(Emitter& e, const Instruction& inst, size_t index, llvm::Type* like) {
  return e.operand_of(inst, index, like->getWithNewType(e.ir.getInt1Ty()));
}

void masked_gather(Emitter& e, const Instruction& inst) {
  Value* pointers = e.operand(inst, 0);
  llvm::Type* type = e.result_type(inst);
  if (!pointers->getType()->isVectorTy() || !pointers->getType()->isPtrOrPtrVectorTy() ||
      !same_shape(type, pointers->getType()))
    inst.fail("needs vectors of the same length");
  Value* mask = mask_operand(e, inst, 2, type);
  Value* otherwise = e.operand_of(inst, 3, type);
  e.define(inst, e.ir.CreateMaskedGather(type, pointers, literal_alignment(inst, 1), mask, otherwise));
}

void masked_scatter(Emitter& e, const Instruction& inst) {
  Value* data = e.operand(inst, 0);
  Value* pointers = e.operand(inst, 1);
  if (!pointers->getType()->isVectorTy() || !pointers->getType()->isPtrOrPtrVectorTy() ||
      !same_shape(data->getType(), pointers->getType()))
    inst.fail("needs vectors of the same length");
  e.ir.CreateMaskedScatter(data, pointers, literal_alignment(inst, 2), mask_operand(e, inst, 3, data->getType()));
}

void copy(Emitter& e, const Instruction& inst) { e.define(inst, e.operand(inst, 0)); }
void inline_assembly(Emitter&, const Instruction& inst) { inst.fail("inline assembly is not supported"); }
void media(Emitter&, const Instruction& inst) { inst.fail("media block accesses are not supported"); }
void pipes(Emitter&, const Instruction& inst) { inst.fail("pipes are not supported"); }
void enqueue(Emitter&, const Instruction& inst) { inst.fail("device-side enqueue is not supported"); }

constexpr EmitterEntry table[] = {
    {Op::MaskedGatherINTEL, masked_gather},
    {Op::MaskedScatterINTEL, masked_scatter},
    {Op::FPGARegALTERA, copy},
    {Op::AsmCallINTEL, inline_assembly},
    {Op::SubgroupImageMediaBlockReadINTEL, media},
    {Op::SubgroupImageMediaBlockWriteINTEL, media},
    {Op::ReadPipe, pipes},
    {Op::WritePipe, pipes},
    {Op::EnqueueKernel, enqueue},
    {Op::EnqueueMarker, enqueue},
};

} // namespace

EmitterTable intel_emitters() { return table; }

} // namespace zeroth::spirv
