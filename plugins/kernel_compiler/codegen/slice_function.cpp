#include "slice_function.hpp"

#include <cstddef>

#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

namespace zeroth::codegen {

namespace {

llvm::FunctionType* type_with(llvm::LLVMContext& context, unsigned integers) {
  llvm::SmallVector<llvm::Type*> types(2, llvm::PointerType::get(context, 0));
  types.append(integers, llvm::Type::getInt64Ty(context));
  return llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
}

} // namespace

llvm::FunctionType* slice_function_type(llvm::LLVMContext& context) {
  return type_with(context, slice_argument::Count - 2);
}
llvm::FunctionType* group_function_type(llvm::LLVMContext& context) {
  llvm::FunctionType* without = type_with(context, 4);
  llvm::SmallVector<llvm::Type*> types(without->params());
  types.push_back(llvm::PointerType::get(context, 0));
  return llvm::FunctionType::get(without->getReturnType(), types, false);
}
llvm::FunctionType* range_function_type(llvm::LLVMContext& context) { return type_with(context, 2); }

llvm::Function* create_internal(llvm::Module& module, llvm::FunctionType* type, const llvm::Twine& name) {
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module);
  for (unsigned i : {0u, 1u}) {
    function->addParamAttr(i, llvm::Attribute::NoAlias);
    function->addParamAttr(i, llvm::Attribute::NonNull);
    function->addParamAttr(i, llvm::Attribute::getWithAlignment(module.getContext(), llvm::Align(8)));
    function->addDereferenceableParamAttr(i, i == 0 ? sizeof(zeroth_launch) : sizeof(zeroth_worker));
  }
  function->addFnAttr(llvm::Attribute::NoUnwind);
  return function;
}

llvm::Value* load_field(llvm::IRBuilderBase& builder, llvm::Value* base, uint64_t offset, llvm::Type* type) {
  llvm::Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
  llvm::LoadInst* load = builder.CreateLoad(type, address);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder.getContext(), {}));
  return load;
}

namespace {

llvm::Value* load_count(llvm::IRBuilderBase& builder, llvm::Value* launch, uint64_t offset) {
  auto* load = llvm::cast<llvm::LoadInst>(load_field(builder, launch, offset, builder.getInt32Ty()));
  llvm::MDBuilder metadata(builder.getContext());
  load->setMetadata(llvm::LLVMContext::MD_range,
                    metadata.createRange(llvm::APInt(32, 1), llvm::APInt(32, 0x80000000u)));
  return builder.CreateZExt(load, builder.getInt64Ty());
}

} // namespace

llvm::Value* group_extent(llvm::IRBuilderBase& builder, llvm::Value* launch, unsigned dimension) {
  return load_count(builder, launch, offsetof(zeroth_launch, group_size) + 4 * dimension);
}

llvm::Value* group_count(llvm::IRBuilderBase& builder, llvm::Value* launch, unsigned dimension) {
  return load_count(builder, launch, offsetof(zeroth_launch, group_count) + 4 * dimension);
}

llvm::Value* service(llvm::IRBuilderBase& builder, llvm::Value* worker, uint64_t offset) {
  llvm::Value* services = load_field(builder, worker, offsetof(zeroth_worker, services), builder.getPtrTy());
  return load_field(builder, services, offset, builder.getPtrTy());
}

Position group_extents(llvm::IRBuilderBase& builder, llvm::Value* launch, const Shape& shape) {
  if (shape.known_size[0])
    return {builder.getInt64(shape.known_size[0]), builder.getInt64(shape.known_size[1]),
            builder.getInt64(shape.known_size[2])};
  return {group_extent(builder, launch, 0), group_extent(builder, launch, 1), group_extent(builder, launch, 2)};
}

Position advance(llvm::IRBuilderBase& builder, const Position& position, const Position& extent, llvm::Value* step) {
  llvm::Value* zero = builder.getInt64(0);
  auto *row = llvm::dyn_cast<llvm::ConstantInt>(extent[0]), *known = llvm::dyn_cast<llvm::ConstantInt>(step);
  bool row_is_step = row && known && row->getZExtValue() <= known->getZExtValue(); // every step begins a row
  llvm::Value* x = builder.CreateAdd(row_is_step ? zero : position[0], step, "", true, true);
  llvm::Value* row_ends = builder.CreateICmpUGE(x, extent[0]);
  llvm::Value* y = builder.CreateAdd(position[1], builder.CreateZExt(row_ends, builder.getInt64Ty()), "", true, true);
  llvm::Value* plane_ends = builder.CreateICmpUGE(y, extent[1]);
  llvm::Value* z = builder.CreateAdd(position[2], builder.CreateZExt(plane_ends, builder.getInt64Ty()), "", true, true);
  return {builder.CreateSelect(row_ends, zero, x), builder.CreateSelect(plane_ends, zero, y), z};
}

Position advance(llvm::IRBuilderBase& builder, const Position& position, const Position& extent, uint64_t step) {
  return advance(builder, position, extent, builder.getInt64(step));
}

namespace {

llvm::Value* ceil_divide(llvm::IRBuilderBase& builder, llvm::Value* value, uint64_t divisor) {
  return builder.CreateUDiv(builder.CreateAdd(value, builder.getInt64(divisor - 1), "", true, true),
                            builder.getInt64(divisor));
}

llvm::Value* product(llvm::IRBuilderBase& builder, llvm::Value* a, llvm::Value* b) {
  return builder.CreateMul(a, b, "", true, true);
}

} // namespace

llvm::Value* slice_count(llvm::IRBuilderBase& builder, const Position& extent, const Shape& shape) {
  if (shape.cut == Cut::MaskedLinear)
    return ceil_divide(builder, product(builder, product(builder, extent[0], extent[1]), extent[2]), shape.width());
  llvm::Value* rows = product(builder, extent[1], extent[2]);
  llvm::Value* parts = product(builder, ceil_divide(builder, extent[0], shape.lanes), rows);
  return ceil_divide(builder, parts, shape.parts);
}

Position slice_position(llvm::IRBuilderBase& builder, llvm::Value* index, const Position& extent, const Shape& shape) {
  uint64_t step = shape.cut == Cut::MaskedLinear ? 1 : shape.lanes;
  uint64_t factor = shape.cut == Cut::MaskedLinear ? shape.width() : shape.parts;
  llvm::Value* part = product(builder, index, builder.getInt64(factor));
  llvm::Value* per_row = ceil_divide(builder, extent[0], step);
  llvm::Value* row = builder.CreateUDiv(part, per_row);
  llvm::Value* x = product(builder, builder.CreateURem(part, per_row), builder.getInt64(step));
  return {x, builder.CreateURem(row, extent[1]), builder.CreateUDiv(row, extent[1])};
}

SliceLoop open_slice_loop(llvm::IRBuilderBase& builder) {
  llvm::BasicBlock* before = builder.GetInsertBlock();
  llvm::Function* function = before->getParent();
  SliceLoop loop;
  loop.header = llvm::BasicBlock::Create(builder.getContext(), "slice", function);
  loop.after = llvm::BasicBlock::Create(builder.getContext(), "slices.done", function);
  builder.CreateBr(loop.header);
  builder.SetInsertPoint(loop.header);
  auto phi = [&](const char* name) {
    llvm::PHINode* value = builder.CreatePHI(builder.getInt64Ty(), 2, name);
    value->addIncoming(builder.getInt64(0), before);
    return value;
  };
  loop.position = {phi("x"), phi("y"), phi("z")};
  loop.index = phi("slice.index");
  return loop;
}

void close_slice_loop(llvm::IRBuilderBase& builder, const SliceLoop& loop, const Position& extent, const Shape& shape,
                      llvm::Value* count) {
  Position next = loop.position;
  if (shape.cut != Cut::MaskedLinear || shape.width() == 1)
    for (uint32_t part = 0; part < shape.parts; ++part) next = advance(builder, next, extent, shape.lanes);
  llvm::Value* index = builder.CreateAdd(loop.index, builder.getInt64(1), "", true, true);
  for (unsigned d = 0; d < 3; ++d)
    llvm::cast<llvm::PHINode>(loop.position[d])->addIncoming(next[d], builder.GetInsertBlock());
  loop.index->addIncoming(index, builder.GetInsertBlock());
  builder.CreateCondBr(builder.CreateICmpULT(index, count), loop.header, loop.after);
  builder.SetInsertPoint(loop.after);
}

} // namespace zeroth::codegen
