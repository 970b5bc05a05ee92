#include "group_function.hpp"

#include <cstddef>

#include <llvm/IR/Module.h>

namespace zeroth::codegen {

namespace {

using Values = llvm::SmallVector<llvm::Value*, slice_argument::Count>;

Values slice_arguments(llvm::Function& caller, const Position& group, const Position& position, llvm::Value* index,
                       llvm::Value* row) {
  return {caller.getArg(0), caller.getArg(1), group[0],    group[1], group[2],
          position[0],      position[1],      position[2], index,    row};
}

llvm::Function* begin(llvm::Module& module, llvm::FunctionType* type, const llvm::Twine& name,
                      llvm::IRBuilder<>& builder) {
  llvm::Function* function = create_internal(module, type, name);
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", function));
  return function;
}

// The zeroth_slice_fn that run_slices calls: finds its position and calls the slice function.
llvm::Function* make_fiber_slice(llvm::Function& slice, const Shape& shape) {
  llvm::Module& module = *slice.getParent();
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Type* pointer = builder.getPtrTy();
  auto* type =
      llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer, pointer, builder.getInt32Ty(), pointer}, false);
  llvm::Function* function = begin(module, type, slice.getName() + ".fiber", builder);
  Position group;
  for (unsigned d = 0; d < 3; ++d) {
    llvm::Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt32Ty(), function->getArg(2), d);
    group[d] = builder.CreateZExt(builder.CreateLoad(builder.getInt32Ty(), address), builder.getInt64Ty());
  }
  llvm::Value* index = builder.CreateZExt(function->getArg(3), builder.getInt64Ty());
  Position extent = group_extents(builder, function->getArg(0), shape);
  Position position = slice_position(builder, index, extent, shape);
  builder.CreateCall(&slice, slice_arguments(*function, group, position, index, extent[0]));
  builder.CreateRetVoid();
  return function;
}

} // namespace

llvm::Function* make_loop_group(llvm::Function& slice, const Shape& shape) {
  llvm::Module& module = *slice.getParent();
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Function* group = begin(module, group_function_type(module.getContext()), slice.getName() + ".group", builder);
  Position extent = group_extents(builder, group->getArg(0), shape);
  if (shape.spans_groups()) extent[0] = builder.CreateMul(extent[0], group->getArg(group_argument::Groups));
  llvm::Value* count = slice_count(builder, extent, shape);
  SliceLoop loop = open_slice_loop(builder);
  Position id = {group->getArg(2), group->getArg(3), group->getArg(4)};
  builder.CreateCall(&slice, slice_arguments(*group, id, loop.position, loop.index, extent[0]))
      ->addFnAttr(llvm::Attribute::AlwaysInline);
  close_slice_loop(builder, loop, extent, shape, count);
  builder.CreateRetVoid();
  return group;
}

llvm::Function* make_fiber_group(llvm::Function& slice, const Shape& shape) {
  llvm::Module& module = *slice.getParent();
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Function* group = begin(module, group_function_type(module.getContext()), slice.getName() + ".group", builder);
  llvm::Value *launch = group->getArg(0), *worker = group->getArg(1);
  auto* ids_type = llvm::ArrayType::get(builder.getInt32Ty(), 3);
  llvm::Value* ids = builder.CreateAlloca(ids_type);
  for (unsigned d = 0; d < 3; ++d)
    builder.CreateStore(builder.CreateTrunc(group->getArg(2 + d), builder.getInt32Ty()),
                        builder.CreateConstInBoundsGEP2_64(ids_type, ids, 0, d));
  llvm::Value* count = slice_count(builder, group_extents(builder, launch, shape), shape);
  llvm::Type* pointer = builder.getPtrTy();
  auto* type = llvm::FunctionType::get(builder.getVoidTy(),
                                       {pointer, pointer, pointer, builder.getInt32Ty(), pointer, pointer}, false);
  builder.CreateCall(type, service(builder, worker, offsetof(zeroth_services, run_slices)),
                     {launch, worker, ids, builder.CreateTrunc(count, builder.getInt32Ty()),
                      make_fiber_slice(slice, shape), llvm::ConstantPointerNull::get(builder.getPtrTy())});
  builder.CreateRetVoid();
  return group;
}

llvm::Function* make_range(llvm::Function& group) {
  llvm::Module& module = *group.getParent();
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Function* range = begin(module, range_function_type(module.getContext()), group.getName() + ".range", builder);
  llvm::Value *launch = range->getArg(0), *first = range->getArg(2), *end = range->getArg(3);
  Position count = {group_count(builder, launch, 0), group_count(builder, launch, 1), group_count(builder, launch, 2)};
  llvm::Value* row = builder.CreateUDiv(first, count[0]);
  Position start = {builder.CreateURem(first, count[0]), builder.CreateURem(row, count[1]),
                    builder.CreateUDiv(row, count[1])};
  llvm::BasicBlock* before = builder.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(module.getContext(), "group", range);
  auto* done = llvm::BasicBlock::Create(module.getContext(), "done", range);
  builder.CreateCondBr(builder.CreateICmpULT(first, end), loop, done);
  builder.SetInsertPoint(loop);
  llvm::PHINode* index = builder.CreatePHI(builder.getInt64Ty(), 2, "group.index");
  Position id;
  for (unsigned d = 0; d < 3; ++d) id[d] = builder.CreatePHI(builder.getInt64Ty(), 2, "group.id");
  llvm::Value* one = builder.getInt64(1);
  builder
      .CreateCall(&group, {launch, range->getArg(1), id[0], id[1], id[2], one,
                           llvm::ConstantPointerNull::get(builder.getPtrTy())})
      ->addFnAttr(llvm::Attribute::AlwaysInline);
  Position next = advance(builder, id, count, 1);
  llvm::Value* next_index = builder.CreateAdd(index, one, "", true, true);
  index->addIncoming(first, before);
  index->addIncoming(next_index, builder.GetInsertBlock());
  for (unsigned d = 0; d < 3; ++d) {
    llvm::cast<llvm::PHINode>(id[d])->addIncoming(start[d], before);
    llvm::cast<llvm::PHINode>(id[d])->addIncoming(next[d], builder.GetInsertBlock());
  }
  builder.CreateCondBr(builder.CreateICmpULT(next_index, end), loop, done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  return range;
}

namespace {

// Does a Rows form serve this launch? (see Cut)
llvm::Value* serves(llvm::IRBuilder<>& builder, llvm::Value* launch, const Shape& shape) {
  Position extent = group_extents(builder, launch, shape);
  llvm::Value* items = builder.CreateMul(extent[0], builder.CreateMul(extent[1], extent[2]));
  llvm::Value* offset = load_field(builder, launch, offsetof(zeroth_launch, global_offset), builder.getInt64Ty());
  llvm::Value* row_rest = builder.CreateAnd(builder.CreateOr(extent[0], offset), builder.getInt64(shape.lanes - 1));
  if (!shape.whole_rows)
    row_rest = builder.CreateOr(row_rest, builder.CreateURem(items, builder.getInt64(shape.width())));
  return builder.CreateICmpEQ(row_rest, builder.getInt64(0));
}

// What run_groups is told of a form.
struct Call {
  llvm::Value *group, *slice, *row;
};

Call call_of(llvm::IRBuilder<>& builder, const Form& form) {
  uint64_t row = form.shape.long_row;
  if (row > form.shape.width()) row |= ZEROTH_ROW_WITHOUT_END; // no neighbouring rows that share anything
  llvm::Value* none = llvm::ConstantPointerNull::get(builder.getPtrTy());
  return {form.group, form.slice ? form.slice : none, builder.getInt64(row)};
}

llvm::SmallVector<llvm::Value*> arguments_of(llvm::Function& entry) {
  llvm::SmallVector<llvm::Value*> arguments;
  for (llvm::Argument& argument : entry.args()) arguments.push_back(&argument);
  return arguments;
}

void run(llvm::IRBuilder<>& builder, llvm::Function& entry, const Call& call) {
  llvm::SmallVector<llvm::Value*> arguments = arguments_of(entry);
  arguments.append({call.group, call.slice, call.row});
  llvm::SmallVector<llvm::Type*> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  builder.CreateCall(llvm::FunctionType::get(builder.getVoidTy(), types, false),
                     service(builder, entry.getArg(1), offsetof(zeroth_services, run_groups)), arguments);
}

// One call for all forms, without branches: entries are a tenth of what a small kernel takes to compile.
void run_chosen(llvm::IRBuilder<>& builder, llvm::Function& entry, llvm::ArrayRef<Form> forms) {
  Call chosen = call_of(builder, forms.back());
  for (const Form& form : llvm::reverse(forms.drop_back())) {
    const Call call = call_of(builder, form);
    llvm::Value* here = serves(builder, entry.getArg(0), form.shape);
    chosen = {builder.CreateSelect(here, call.group, chosen.group),
              builder.CreateSelect(here, call.slice, chosen.slice), builder.CreateSelect(here, call.row, chosen.row)};
  }
  run(builder, entry, chosen);
  builder.CreateRetVoid();
}

// Forms with loops over groups of their own.
void run_first_that_serves(llvm::IRBuilder<>& builder, llvm::Function& entry, llvm::ArrayRef<Form> forms) {
  for (const Form& form : forms) {
    llvm::BasicBlock* otherwise = nullptr;
    if (&form != &forms.back()) {
      auto* use = llvm::BasicBlock::Create(entry.getContext(), "form", &entry);
      otherwise = llvm::BasicBlock::Create(entry.getContext(), "next.form", &entry);
      builder.CreateCondBr(serves(builder, entry.getArg(0), form.shape), use, otherwise);
      builder.SetInsertPoint(use);
    }
    if (form.range)
      builder.CreateCall(form.range, arguments_of(entry));
    else
      run(builder, entry, call_of(builder, form));
    builder.CreateRetVoid();
    if (otherwise) builder.SetInsertPoint(otherwise);
  }
}

} // namespace

llvm::Function* make_entry(llvm::Module& module, llvm::StringRef symbol, llvm::ArrayRef<Form> forms) {
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Function* entry = begin(module, range_function_type(module.getContext()), symbol, builder);
  entry->setLinkage(llvm::GlobalValue::ExternalLinkage);
  if (llvm::none_of(forms, [](const Form& form) { return form.range; }))
    run_chosen(builder, *entry, forms);
  else
    run_first_that_serves(builder, *entry, forms);
  return entry;
}

} // namespace zeroth::codegen
