#include "lower_services.hpp"

#include "codegen.hpp"
#include "dialect_calls.hpp"
#include "slice_function.hpp"

#include <cstddef>

#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace zeroth::codegen {

namespace {

// Called as i32(launch, worker, format, const uint64_t* slots, uint32_t count); the built-in library defines it.
constexpr const char* PrintFunction = "zeroth_print_format";

llvm::SmallVector<llvm::CallInst*> dialect_calls(llvm::Function& function, std::string_view prefix) {
  llvm::SmallVector<llvm::CallInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (dialect_name(&instruction).starts_with(prefix)) calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  return calls;
}

void replace(llvm::CallInst* call, llvm::Value* value) {
  if (value) call->replaceAllUsesWith(value);
  call->eraseFromParent();
}

// One 8-byte slot per component: integers sign-extended, doubles by their bits, pointers as addresses.
void append_slots(llvm::IRBuilderBase& builder, llvm::Value* value, llvm::SmallVectorImpl<llvm::Value*>& slots) {
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType())) {
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      append_slots(builder, builder.CreateExtractElement(value, uint64_t(i)), slots);
    return;
  }
  llvm::Type* type = value->getType();
  if (type->isFloatTy() || type->isHalfTy()) value = builder.CreateFPExt(value, builder.getDoubleTy());
  if (type->isFloatingPointTy())
    value = builder.CreateBitCast(value, builder.getInt64Ty());
  else if (type->isPointerTy())
    value = builder.CreatePtrToInt(value, builder.getInt64Ty());
  else
    value = builder.CreateSExtOrTrunc(value, builder.getInt64Ty());
  slots.push_back(value);
}

llvm::Value* emit_print(llvm::IRBuilder<>& builder, llvm::CallInst* call, llvm::Function& slice) {
  llvm::SmallVector<llvm::Value*> slots;
  for (unsigned i = 1; i < call->arg_size(); ++i) append_slots(builder, call->getArgOperand(i), slots);
  auto* type = llvm::ArrayType::get(builder.getInt64Ty(), std::max<size_t>(1, slots.size()));
  llvm::IRBuilder<> entry(&*slice.getEntryBlock().getFirstInsertionPt());
  llvm::Value* buffer = entry.CreateAlloca(type);
  for (size_t i = 0; i < slots.size(); ++i)
    builder.CreateStore(slots[i], builder.CreateConstInBoundsGEP2_64(type, buffer, 0, i));
  llvm::Type* pointer = builder.getPtrTy();
  llvm::FunctionCallee print = slice.getParent()->getOrInsertFunction(PrintFunction, builder.getInt32Ty(), pointer,
                                                                      pointer, pointer, pointer, builder.getInt32Ty());
  llvm::Value* format = builder.CreateAddrSpaceCast(call->getArgOperand(0), pointer);
  return builder.CreateCall(print, {slice.getArg(slice_argument::Launch), slice.getArg(slice_argument::Worker), format,
                                    buffer, builder.getInt32(uint32_t(slots.size()))});
}

llvm::Value* emit_clock(llvm::IRBuilder<>& builder, llvm::Function& slice) {
  llvm::Value* clock = service(builder, slice.getArg(slice_argument::Worker), offsetof(zeroth_services, clock));
  return builder.CreateCall(llvm::FunctionType::get(builder.getInt64Ty(), false), clock);
}

// True for an address in the `bytes` after `base`.
llvm::Value* is_within(llvm::IRBuilder<>& builder, llvm::Value* address, llvm::Value* base, llvm::Value* bytes) {
  return builder.CreateICmpULT(builder.CreateSub(address, builder.CreatePtrToInt(base, builder.getInt64Ty())), bytes);
}

// True for an address in the block that a field of zeroth_worker points at.
llvm::Value* is_in_block(llvm::IRBuilder<>& builder, llvm::Value* address, llvm::Function& slice, size_t base,
                         size_t bytes) {
  llvm::Value* worker = slice.getArg(slice_argument::Worker);
  return is_within(builder, address, load_field(builder, worker, base, builder.getPtrTy()),
                   load_field(builder, worker, bytes, builder.getInt64Ty()));
}

// The exact bounds: global memory may lie right behind work-group memory, or near a stack. Private variables are in the
// frame of the slice, from the stack pointer up, or in scratch memory.
llvm::Value* emit_space_test(llvm::IRBuilder<>& builder, llvm::CallInst* call, llvm::Function& slice) {
  llvm::Value* address = builder.CreatePtrToInt(call->getArgOperand(0), builder.getInt64Ty());
  llvm::Value* in_local =
      is_in_block(builder, address, slice, offsetof(zeroth_worker, local_memory), offsetof(zeroth_worker, local_bytes));
  llvm::Value* in_scratch =
      is_in_block(builder, address, slice, offsetof(zeroth_worker, scratch), offsetof(zeroth_worker, scratch_bytes));
  llvm::Value* bottom = builder.CreateStackSave();
  llvm::Value* top =
      builder.CreateIntrinsic(llvm::Intrinsic::frameaddress, {builder.getPtrTy()}, {builder.getInt32(0)});
  llvm::Value* frame = builder.CreateSub(builder.CreatePtrToInt(top, builder.getInt64Ty()),
                                         builder.CreatePtrToInt(bottom, builder.getInt64Ty()));
  llvm::Value* in_private = builder.CreateOr(in_scratch, is_within(builder, address, bottom, frame));
  std::string_view name = dialect_name(call);
  llvm::Value* matches = name == dialect::ToLocal     ? in_local
                         : name == dialect::ToPrivate ? in_private
                                                      : builder.CreateNot(builder.CreateOr(in_local, in_private));
  llvm::Value* cast = builder.CreateAddrSpaceCast(call->getArgOperand(0), call->getType());
  return builder.CreateSelect(matches, cast, llvm::Constant::getNullValue(call->getType()));
}

llvm::Value* emit_primitive(llvm::IRBuilderBase& builder, llvm::Module& module, std::string_view name) {
  return builder.CreateCall(declare_query(module, name, llvm::FunctionType::get(builder.getInt64Ty(), false)));
}

llvm::Value* emit_size(llvm::IRBuilderBase& builder, llvm::Module& module) {
  auto* type = llvm::FunctionType::get(builder.getInt64Ty(), {builder.getInt32Ty()}, false);
  llvm::FunctionCallee extent = declare_query(module, dialect::EnqueuedLocalSize, type);
  llvm::Value* size = builder.CreateCall(extent, builder.getInt32(0));
  for (int d : {1, 2}) size = builder.CreateMul(size, builder.CreateCall(extent, builder.getInt32(d)));
  return size;
}

// Elements lid, lid + size, … by this work-item, each by a byte copy of its size.
void emit_copy_loop(llvm::CallInst* call) {
  llvm::Module& module = *call->getModule();
  llvm::IRBuilder<> builder(call);
  llvm::Value* first = emit_primitive(builder, module, dialect::LocalLinearId);
  llvm::Value* step = emit_size(builder, module);
  llvm::Value *size = call->getArgOperand(3), *count = call->getArgOperand(4);
  llvm::BasicBlock* before = call->getParent();
  llvm::BasicBlock* after = before->splitBasicBlock(call, "copied");
  auto* head = llvm::BasicBlock::Create(call->getContext(), "copy.head", before->getParent(), after);
  auto* body = llvm::BasicBlock::Create(call->getContext(), "copy", before->getParent(), after);
  before->getTerminator()->setSuccessor(0, head);
  builder.SetInsertPoint(head);
  llvm::PHINode* i = builder.CreatePHI(builder.getInt64Ty(), 2);
  i->addIncoming(first, before);
  builder.CreateCondBr(builder.CreateICmpULT(i, count), body, after);
  builder.SetInsertPoint(body);
  auto element = [&](llvm::Value* base, llvm::Value* stride) {
    return builder.CreateGEP(builder.getInt8Ty(), base, builder.CreateMul(builder.CreateMul(i, stride), size));
  };
  llvm::Value* target = element(call->getArgOperand(1), call->getArgOperand(5));
  llvm::Value* source = element(call->getArgOperand(2), call->getArgOperand(6));
  if (auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(size);
      bytes && llvm::isPowerOf2_64(bytes->getZExtValue()) && bytes->getZExtValue() <= 8) {
    llvm::Type* type = builder.getIntNTy(unsigned(bytes->getZExtValue() * 8));
    builder.CreateAlignedStore(builder.CreateAlignedLoad(type, source, llvm::Align(1)), target, llvm::Align(1));
  } else {
    builder.CreateMemCpy(target, llvm::Align(1), source, llvm::Align(1), size);
  }
  i->addIncoming(builder.CreateAdd(i, step), body);
  builder.CreateBr(head);
}

} // namespace

void lower_async_copies(llvm::Function& body) {
  for (llvm::CallInst* call : dialect_calls(body, dialect::AsyncCopy)) {
    emit_copy_loop(call);
    replace(call, call->getArgOperand(7));
  }
  for (llvm::CallInst* call : dialect_calls(body, dialect::WaitEvents)) replace(call, nullptr);
}

void lower_barriers_to_services(llvm::Function& slice) {
  for (llvm::CallInst* call : dialect_calls(slice, dialect::Barrier)) {
    llvm::IRBuilder<> builder(call);
    llvm::Value* worker = slice.getArg(slice_argument::Worker);
    llvm::Value* barrier = service(builder, worker, offsetof(zeroth_services, barrier));
    auto* type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
    llvm::cast<llvm::CallInst>(builder.CreateCall(type, barrier, {worker}))->addFnAttr(llvm::Attribute::Convergent);
    replace(call, nullptr);
  }
}

static llvm::Value* emit_words(llvm::IRBuilder<>& builder, llvm::CallInst* call) {
  llvm::Value* index = builder.CreateSExt(call->getArgOperand(1), builder.getInt64Ty());
  llvm::Value* address = builder.CreateGEP(builder.getInt32Ty(), call->getArgOperand(0), index);
  if (!call->getType()->isVoidTy()) return builder.CreateAlignedLoad(call->getType(), address, llvm::Align(4));
  builder.CreateAlignedStore(call->getArgOperand(2), address, llvm::Align(4));
  return nullptr;
}

void lower_services(llvm::Function& slice) {
  for (llvm::CallInst* call : dialect_calls(slice, "zeroth.")) {
    llvm::IRBuilder<> builder(call);
    std::string_view name = dialect_name(call);
    if (name == dialect::Printf)
      replace(call, emit_print(builder, call, slice));
    else if (name.starts_with(dialect::LoadWords) || name.starts_with(dialect::StoreWords))
      replace(call, emit_words(builder, call));
    else if (name == dialect::ReadClock)
      replace(call, emit_clock(builder, slice));
    else if (name == dialect::ToLocal || name == dialect::ToGlobal || name == dialect::ToPrivate)
      replace(call, emit_space_test(builder, call, slice));
  }
}

} // namespace zeroth::codegen
