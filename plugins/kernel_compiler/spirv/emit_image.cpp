// Images and samplers as calls of the kernel dialect.
#include "../dialect.hpp"
#include "emitter.hpp"

namespace zeroth::spirv {
namespace {

using llvm::Value;

// What follows the image operands mask.
struct ImageOperands {
  Value* lod = nullptr;
  Value* sample = nullptr;
  bool sign_extend = false;
};

ImageOperands image_operands(Emitter& e, const Instruction& inst, size_t index) {
  ImageOperands result;
  if (index >= inst.size()) return result;
  const uint32_t mask = inst.operand(index++);
  if (mask & ~0x3047u) inst.fail("has image operands that are not supported");
  if (mask & 1) ++index; // bias: only of implicit sampling
  if (mask & 2) result.lod = e.operand(inst, index++);
  if (mask & 4) index += 2; // gradients: the level of detail they choose is 0 without mip levels
  if (mask & 0x40) result.sample = e.i32_operand(inst, index++);
  result.sign_extend = mask & 0x1000;
  return result;
}

std::string dimension(const Instruction& image, const Instruction& where) {
  static constexpr const char* names[] = {"1d", "2d", "3d", nullptr, nullptr, "1d_buffer"};
  const uint32_t dim = image.operand(1);
  if (dim > 5 || !names[dim]) where.fail("uses an image of a dimension that is not supported");
  std::string name = names[dim];
  if (image.operand(3)) name += "_array";
  if (image.operand(4)) name += "_msaa";
  if (image.operand(2) == 1) name += "_depth";
  return name;
}

const Instruction& image_type(Emitter& e, const Instruction& inst, uint32_t id) {
  const Instruction* type = &e.reader.type_of(id);
  if (type->op == Op::TypeSampledImage) type = &e.reader.layout.type(type->operand(0));
  if (type->op != Op::TypeImage) inst.fail("has an operand that is no image");
  return *type;
}

Value* image_pointer(Emitter& e, Value* v) { return v->getType()->isStructTy() ? e.ir.CreateExtractValue(v, 0) : v; }

// A coordinate as four 32-bit components, missing ones 0.
Value* coordinate(Emitter& e, const Instruction& inst, size_t index) {
  Value* v = e.operand(inst, index);
  llvm::Type* scalar = v->getType()->getScalarType();
  if (!scalar->isIntegerTy() && !scalar->isFloatingPointTy()) inst.fail("has a coordinate that is no number");
  llvm::Type* part = scalar->isIntegerTy() ? e.ir.getInt32Ty() : e.ir.getFloatTy();
  Value* result = llvm::Constant::getNullValue(llvm::FixedVectorType::get(part, 4));
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(v->getType());
  const unsigned count = vector ? vector->getNumElements() : 1;
  if (count > 4) inst.fail("has a coordinate of more than four components");
  for (unsigned i = 0; i < count; ++i) {
    Value* component = vector ? e.ir.CreateExtractElement(v, uint64_t{i}) : v;
    component = scalar->isIntegerTy() ? e.ir.CreateSExtOrTrunc(component, part) : e.ir.CreateFPCast(component, part);
    result = e.ir.CreateInsertElement(result, component, uint64_t{i});
  }
  return result;
}

// "f32" or "i32" and the vector type that goes with it.
struct Texel {
  std::string name;
  llvm::FixedVectorType* type;
};

Texel texel(Emitter& e, const Instruction& inst, llvm::Type* type) {
  llvm::Type* scalar = type->getScalarType();
  if (scalar->isFloatTy() || scalar->isHalfTy()) return {"f32", llvm::FixedVectorType::get(e.ir.getFloatTy(), 4)};
  if (scalar->isIntegerTy() && scalar->getIntegerBitWidth() <= 32)
    return {"i32", llvm::FixedVectorType::get(e.ir.getInt32Ty(), 4)};
  inst.fail("has texels of a type that images do not have");
}

// The four components that a read yields, as the result type: a scalar (depth) or fewer or narrower ones.
Value* fit(Emitter& e, const Instruction& inst, Value* four) {
  llvm::Type* type = e.result_type(inst);
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector)
    four = e.ir.CreateExtractElement(four, uint64_t{0});
  else if (vector->getNumElements() != 4)
    inst.fail("has a result that is not of four components");
  return type->isIntOrIntVectorTy() ? e.ir.CreateTrunc(four, type) : e.ir.CreateFPTrunc(four, type);
}

void read(Emitter& e, const Instruction& inst) {
  const Instruction& type = image_type(e, inst, inst.operand(0));
  Value* image = image_pointer(e, e.operand(inst, 0));
  const ImageOperands operands = image_operands(e, inst, 2);
  const Texel t = texel(e, inst, e.result_type(inst));
  Value* zero = e.ir.getInt32(0);
  Value* lod = operands.lod && operands.lod->getType()->isIntegerTy()
                   ? e.ir.CreateSExtOrTrunc(operands.lod, e.ir.getInt32Ty())
                   : zero;
  Value* place = coordinate(e, inst, 1);
  if (!place->getType()->isIntOrIntVectorTy()) inst.fail("reads at a coordinate that is no integer");
  const std::string name = "zeroth.image.read." + dimension(type, inst) + "." + t.name;
  e.define(
      inst,
      fit(e, inst, e.call(name, t.type, {image, place, lod, operands.sample ? operands.sample : zero}, false, false)));
}

void sample(Emitter& e, const Instruction& inst) {
  const Instruction& type = image_type(e, inst, inst.operand(0));
  Value* pair = e.operand(inst, 0);
  if (!pair->getType()->isStructTy()) inst.fail("has an operand that is no sampled image");
  const ImageOperands operands = image_operands(e, inst, 2);
  const Texel t = texel(e, inst, e.result_type(inst));
  Value* place = coordinate(e, inst, 1);
  Value* lod = llvm::ConstantFP::get(e.ir.getFloatTy(), 0.0);
  if (operands.lod && operands.lod->getType()->isFloatingPointTy())
    lod = e.ir.CreateFPCast(operands.lod, e.ir.getFloatTy());
  const std::string name = "zeroth.image.sample." + dimension(type, inst) + "." + t.name + "." +
                           type_suffix(place->getType()->getScalarType());
  Value* arguments[] = {e.ir.CreateExtractValue(pair, 0), e.ir.CreateExtractValue(pair, 1), place, lod};
  e.define(inst, fit(e, inst, e.call(name, t.type, arguments, false, false)));
}

void write(Emitter& e, const Instruction& inst) {
  const Instruction& type = image_type(e, inst, inst.operand(0));
  Value* image = e.operand(inst, 0);
  const ImageOperands operands = image_operands(e, inst, 3);
  Value* data = e.operand(inst, 2);
  const Texel t = texel(e, inst, data->getType());
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(data->getType())) {
    if (vector->getNumElements() != 4) inst.fail("writes a texel that is not of four components");
  } else {
    data = e.ir.CreateInsertElement(llvm::Constant::getNullValue(llvm::FixedVectorType::get(data->getType(), 4)), data,
                                    uint64_t{0});
  }
  // The format says whether integers are signed; what is narrower than 32 bits says so with the operands.
  data = data->getType()->isIntOrIntVectorTy() ? e.ir.CreateIntCast(data, t.type, operands.sign_extend)
                                               : e.ir.CreateFPExt(data, t.type);
  Value* lod = operands.lod && operands.lod->getType()->isIntegerTy()
                   ? e.ir.CreateSExtOrTrunc(operands.lod, e.ir.getInt32Ty())
                   : e.ir.getInt32(0);
  Value* place = coordinate(e, inst, 1);
  if (!place->getType()->isIntOrIntVectorTy()) inst.fail("writes at a coordinate that is no integer");
  e.call("zeroth.image.write." + dimension(type, inst) + "." + t.name, e.ir.getVoidTy(), {image, place, data, lod},
         false, false);
}

void sampled_image(Emitter& e, const Instruction& inst) {
  llvm::Type* type = e.result_type(inst);
  if (!type->isStructTy() || e.reader.layout.type(inst.type).op != Op::TypeSampledImage)
    inst.fail("has a result that is no sampled image");
  Value* image = e.operand_of(inst, 0, type->getStructElementType(0));
  Value* sampler = e.operand_of(inst, 1, type->getStructElementType(1));
  e.define(inst, e.ir.CreateInsertValue(e.ir.CreateInsertValue(llvm::PoisonValue::get(type), image, 0), sampler, 1));
}

void image_of(Emitter& e, const Instruction& inst) { e.define(inst, image_pointer(e, e.operand(inst, 0))); }

void query_size(Emitter& e, const Instruction& inst) {
  image_type(e, inst, inst.operand(0));
  Value* image = image_pointer(e, e.operand(inst, 0));
  Value* lod = inst.size() > 1 ? e.i32_operand(inst, 1) : e.ir.getInt32(0);
  llvm::Type* type = e.result_type(inst);
  if (!type->isIntOrIntVectorTy()) inst.fail("has a result that is no integer");
  Value* four = e.call("zeroth.image.size", llvm::FixedVectorType::get(e.ir.getInt32Ty(), 4), {image, lod});
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (vector && vector->getNumElements() > 4) inst.fail("has a result of more than four components");
  llvm::SmallVector<int, 4> mask;
  for (unsigned i = 0; vector && i < vector->getNumElements(); ++i) mask.push_back(int(i));
  Value* part = vector ? e.ir.CreateShuffleVector(four, mask) : e.ir.CreateExtractElement(four, uint64_t{0});
  e.define(inst, e.ir.CreateZExtOrTrunc(part, type));
}

void query(Emitter& e, const Instruction& inst, const char* what) {
  image_type(e, inst, inst.operand(0));
  llvm::Type* type = e.result_type(inst);
  if (!type->isIntegerTy()) inst.fail("has a result that is no integer");
  Value* v =
      e.call(std::string(dialect::ImagePrefix) + what, e.ir.getInt32Ty(), {image_pointer(e, e.operand(inst, 0))});
  e.define(inst, e.ir.CreateZExtOrTrunc(v, type));
}

void query_format(Emitter& e, const Instruction& inst) { query(e, inst, "format"); }
void query_order(Emitter& e, const Instruction& inst) { query(e, inst, "order"); }
void query_levels(Emitter& e, const Instruction& inst) { query(e, inst, "levels"); }
void query_samples(Emitter& e, const Instruction& inst) { query(e, inst, "samples"); }

constexpr EmitterEntry table[] = {
    {Op::ImageRead, read},
    {Op::ImageFetch, read},
    {Op::ImageWrite, write},
    {Op::ImageSampleExplicitLod, sample},
    {Op::SampledImage, sampled_image},
    {Op::Image, image_of},
    {Op::ImageQuerySize, query_size},
    {Op::ImageQuerySizeLod, query_size},
    {Op::ImageQueryFormat, query_format},
    {Op::ImageQueryOrder, query_order},
    {Op::ImageQueryLevels, query_levels},
    {Op::ImageQuerySamples, query_samples},
};

} // namespace

EmitterTable image_emitters() { return table; }

} // namespace zeroth::spirv
