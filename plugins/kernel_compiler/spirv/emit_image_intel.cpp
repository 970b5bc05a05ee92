// SPV_INTEL_subgroups' blocks of images and SPV_INTEL_bindless_images.
#include "../dialect.hpp"
#include "../image_abi.h"
#include "emitter.hpp"

#include <cstddef>

namespace zeroth::spirv {
namespace {

using llvm::Value;

// A row of a block: every lane's element next to its neighbour's, whatever the image's format is.
struct Block {
  Value* image;
  Value* byte; // of this lane, in the row
  Value* row;
  llvm::Type* element;
  unsigned bytes;
};

Block block_of(Emitter& e, const Instruction& inst, llvm::Type* type) {
  llvm::Type* element = type->getScalarType();
  const unsigned bits = element->getScalarSizeInBits();
  if ((!element->isIntegerTy() && !element->isFloatingPointTy()) || (bits != 8 && bits != 16 && bits != 32))
    inst.fail("accesses a type that blocks of images do not have");
  Value* place = e.operand(inst, 1);
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(place->getType());
  if (!vector || vector->getNumElements() != 2 || !vector->getElementType()->isIntegerTy(32))
    inst.fail("has a coordinate that is not of two 32-bit integers");
  Value* lane = e.call(llvm::StringRef(dialect::SubGroupLocalId), e.ir.getInt32Ty(), {});
  Value* byte =
      e.ir.CreateAdd(e.ir.CreateExtractElement(place, uint64_t{0}), e.ir.CreateMul(lane, e.ir.getInt32(bits / 8)));
  return {e.operand_of(inst, 0, llvm::PointerType::get(e.context, dialect::Global)), byte,
          e.ir.CreateExtractElement(place, uint64_t{1}), element, bits / 8};
}

Value* row_of(Emitter& e, const Block& block, unsigned number) {
  return e.ir.CreateAdd(block.row, e.ir.getInt32(number));
}

Value* read_element(Emitter& e, const Block& block, unsigned number) {
  Value* word = e.call("zeroth.image.block_read", e.ir.getInt32Ty(),
                       {block.image, block.byte, row_of(e, block, number), e.ir.getInt32(block.bytes)}, false, false);
  return e.ir.CreateBitCast(e.ir.CreateTrunc(word, e.ir.getIntNTy(block.bytes * 8)), block.element);
}

void block_read(Emitter& e, const Instruction& inst) {
  llvm::Type* type = e.result_type(inst);
  const Block block = block_of(e, inst, type);
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector) return e.define(inst, read_element(e, block, 0));
  Value* result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    result = e.ir.CreateInsertElement(result, read_element(e, block, i), uint64_t{i});
  e.define(inst, result);
}

void write_element(Emitter& e, const Block& block, unsigned number, Value* value) {
  Value* bits = e.ir.CreateZExt(e.ir.CreateBitCast(value, e.ir.getIntNTy(block.bytes * 8)), e.ir.getInt32Ty());
  e.call("zeroth.image.block_write", e.ir.getVoidTy(),
         {block.image, block.byte, row_of(e, block, number), bits, e.ir.getInt32(block.bytes)}, false, false);
}

void block_write(Emitter& e, const Instruction& inst) {
  Value* data = e.operand(inst, 2);
  const Block block = block_of(e, inst, data->getType());
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(data->getType());
  if (!vector) return write_element(e, block, 0, data);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    write_element(e, block, i, e.ir.CreateExtractElement(data, uint64_t{i}));
}

// A handle is the 64-bit address of what the device made.
Value* address_of(Emitter& e, const Instruction& inst) {
  Value* handle = e.operand(inst, 0);
  if (!handle->getType()->isIntOrIntVectorTy() || handle->getType()->getPrimitiveSizeInBits() != 64)
    inst.fail("has a handle that is not of 64 bits");
  return e.ir.CreateBitCast(handle, e.ir.getInt64Ty());
}

void image_or_sampler(Emitter& e, const Instruction& inst) {
  llvm::Type* type = e.result_type(inst);
  if (!type->isPointerTy()) inst.fail("has a result that is no image and no sampler");
  e.define(inst, e.ir.CreateIntToPtr(address_of(e, inst), type));
}

// The sampler of a sampled image is part of its descriptor.
void sampled_image(Emitter& e, const Instruction& inst) {
  llvm::Type* type = e.result_type(inst);
  if (!type->isStructTy() || type->getStructNumElements() != 2) inst.fail("has a result that is no sampled image");
  Value* address = address_of(e, inst);
  Value* sampler = e.ir.CreateAdd(address, e.ir.getInt64(offsetof(zeroth_image, sampler)));
  Value* pair = e.ir.CreateInsertValue(llvm::PoisonValue::get(type),
                                       e.ir.CreateIntToPtr(address, type->getStructElementType(0)), 0);
  e.define(inst, e.ir.CreateInsertValue(pair, e.ir.CreateIntToPtr(sampler, type->getStructElementType(1)), 1));
}

constexpr EmitterEntry table[] = {
    {Op::SubgroupImageBlockReadINTEL, block_read},         {Op::SubgroupImageBlockWriteINTEL, block_write},
    {Op::ConvertHandleToImageINTEL, image_or_sampler},     {Op::ConvertHandleToSamplerINTEL, image_or_sampler},
    {Op::ConvertHandleToSampledImageINTEL, sampled_image},
};

} // namespace

EmitterTable intel_image_emitters() { return table; }

} // namespace zeroth::spirv
