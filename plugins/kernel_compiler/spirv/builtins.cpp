// Built-in variables as calls of the kernel dialect.
#include "../dialect.hpp"
#include "emitter.hpp"

#include <algorithm>
#include <iterator>

namespace zeroth::spirv {
namespace {

enum class Shape : uint8_t { PerDimension, Long, Int };

struct Query {
  uint32_t builtin;
  std::string_view name;
  Shape shape;
};

constexpr Query queries[] = {
    {24, dialect::NumGroups, Shape::PerDimension},
    {25, dialect::LocalSize, Shape::PerDimension},
    {26, dialect::GroupId, Shape::PerDimension},
    {27, dialect::LocalId, Shape::PerDimension},
    {28, dialect::GlobalId, Shape::PerDimension},
    {29, dialect::LocalLinearId, Shape::Long},
    {30, dialect::WorkDim, Shape::Int},
    {31, dialect::GlobalSize, Shape::PerDimension},
    {32, dialect::EnqueuedLocalSize, Shape::PerDimension},
    {33, dialect::GlobalOffset, Shape::PerDimension},
    {34, dialect::GlobalLinearId, Shape::Long},
    {36, dialect::SubGroupSize, Shape::Int},
    {37, dialect::SubGroupMaxSize, Shape::Int},
    {38, dialect::NumSubGroups, Shape::Int},
    {39, dialect::NumEnqueuedSubGroups, Shape::Int},
    {40, dialect::SubGroupId, Shape::Int},
    {41, dialect::SubGroupLocalId, Shape::Int},
};

// Masks of the lanes equal to, at or above, above, at or below, below the own one.
constexpr uint32_t EqMask = 4416, GeMask = 4417, LeMask = 4419, LtMask = 4420; // 4418 is that of "greater"

llvm::StringRef text(std::string_view name) { return {name.data(), name.size()}; }

llvm::Value* lane_mask(Emitter& e, uint32_t builtin) {
  auto& ir = e.ir;
  llvm::Value* lane = ir.CreateZExt(e.call(text(dialect::SubGroupLocalId), ir.getInt32Ty(), {}), ir.getInt64Ty());
  llvm::Value* size = ir.CreateZExt(e.call(text(dialect::SubGroupSize), ir.getInt32Ty(), {}), ir.getInt64Ty());
  llvm::Value* self = ir.CreateShl(ir.getInt64(1), lane);
  llvm::Value* below = ir.CreateSub(self, ir.getInt64(1));
  llvm::Value* all = ir.CreateLShr(ir.getInt64(~uint64_t{0}), ir.CreateSub(ir.getInt64(64), size));
  switch (builtin) {
  case EqMask:
    return self;
  case LtMask:
    return below;
  case LeMask:
    return ir.CreateOr(below, self);
  case GeMask:
    return ir.CreateAnd(all, ir.CreateNot(below));
  default:
    return ir.CreateAnd(all, ir.CreateNot(ir.CreateOr(below, self)));
  }
}

} // namespace

llvm::Value* Emitter::builtin_value(uint32_t builtin, llvm::Type* type, const Instruction& inst) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (builtin >= EqMask && builtin <= LtMask) {
    if (!vector || vector->getNumElements() != 4 || !vector->getElementType()->isIntegerTy(32))
      inst.fail("reads a sub-group mask that is not of four 32-bit integers");
    llvm::Value* pair = ir.CreateBitCast(lane_mask(*this, builtin), llvm::FixedVectorType::get(ir.getInt32Ty(), 2));
    llvm::Value* zero = llvm::Constant::getNullValue(pair->getType());
    return ir.CreateShuffleVector(pair, zero, {0, 1, 2, 3});
  }
  const auto* query = std::ranges::find(queries, builtin, &Query::builtin);
  if (query == std::end(queries)) inst.fail("reads built-in " + std::to_string(builtin) + ", which is not supported");
  llvm::Type* scalar = type->getScalarType();
  if (!scalar->isIntegerTy() || (vector != nullptr) != (query->shape == Shape::PerDimension) ||
      (vector && vector->getNumElements() > 3))
    inst.fail("reads a built-in as a type that it does not have");
  if (query->shape == Shape::Long) return ir.CreateZExtOrTrunc(call(text(query->name), ir.getInt64Ty(), {}), type);
  if (query->shape == Shape::Int) return ir.CreateZExtOrTrunc(call(text(query->name), ir.getInt32Ty(), {}), type);
  llvm::Value* result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    llvm::Value* part = call(text(query->name), ir.getInt64Ty(), {ir.getInt32(i)});
    result = ir.CreateInsertElement(result, ir.CreateZExtOrTrunc(part, scalar), i);
  }
  return result;
}

} // namespace zeroth::spirv
