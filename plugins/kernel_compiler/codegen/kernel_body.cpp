#include "kernel_body.hpp"

#include "../dialect.hpp"
#include "kernel_metadata.hpp"
#include "slice_function.hpp"
#include "unnoticed_groups.hpp"

#include <cstddef>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace zeroth::codegen {

namespace {

// Work-group variables start on their own cache line: slices load whole vectors from them.
constexpr uint64_t LocalAlignment = 64;

class BodyMaker {
public:
  explicit BodyMaker(llvm::Function& kernel)
      : kernel_(kernel), module_(*kernel.getParent()), builder_(kernel.getContext()) {}

  KernelBody make() {
    body_ = create_internal(module_, slice_function_type(kernel_.getContext()), kernel_.getName() + BodySuffix);
    auto* start = llvm::BasicBlock::Create(kernel_.getContext(), "arguments", body_);
    builder_.SetInsertPoint(start);
    llvm::ValueToValueMapTy map;
    load_arguments(map);
    clone(map);
    place_local_variables(start);
    return {body_, local_bytes_};
  }

private:
  llvm::Value* local_memory() {
    if (!local_memory_) {
      llvm::Value* address = load_field(builder_, body_->getArg(slice_argument::Worker),
                                        offsetof(zeroth_worker, local_memory), builder_.getPtrTy());
      local_memory_ = builder_.CreateAddrSpaceCast(address, builder_.getPtrTy(dialect::Local), "local");
    }
    return local_memory_;
  }

  void load_arguments(llvm::ValueToValueMapTy& map) {
    llvm::Value* block = load_field(builder_, body_->getArg(slice_argument::Launch), offsetof(zeroth_launch, arguments),
                                    builder_.getPtrTy());
    std::vector<ArgumentPlace> places = argument_places(kernel_);
    for (llvm::Argument& argument : kernel_.args())
      map[&argument] = load_argument(argument, places[argument.getArgNo()], block);
  }

  llvm::Value* load_argument(const llvm::Argument& argument, const ArgumentPlace& place, llvm::Value* block) {
    if (argument.hasByValAttr()) return copy_struct(argument, place, block);
    if (place.local) {
      llvm::Value* offset = load_field(builder_, block, place.offset, builder_.getInt64Ty());
      return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), local_memory(), offset, name_of(argument));
    }
    auto* value = llvm::cast<llvm::LoadInst>(load_field(builder_, block, place.offset, argument.getType()));
    value->setAlignment(llvm::commonAlignment(llvm::Align(64), place.offset));
    if (place.descriptor_size) promise_bytes(*value, place.descriptor_size);
    value->setName(name_of(argument));
    return value;
  }

  // What is read of it may be read early, before loops that would read it again and again.
  void promise_bytes(llvm::LoadInst& pointer, uint64_t size) {
    llvm::Metadata* bytes = llvm::ConstantAsMetadata::get(builder_.getInt64(size));
    pointer.setMetadata(llvm::LLVMContext::MD_dereferenceable, llvm::MDNode::get(builder_.getContext(), bytes));
  }

  // For remarks and readers of the IR.
  static std::string name_of(const llvm::Argument& argument) {
    return argument.hasName() ? argument.getName().str() : "argument " + std::to_string(argument.getArgNo());
  }

  // A struct by value: read in place unless the kernel may write to it.
  llvm::Value* copy_struct(const llvm::Argument& argument, const ArgumentPlace& place, llvm::Value* block) {
    llvm::Value* source = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), block, place.offset);
    if (argument.onlyReadsMemory()) return source;
    llvm::AllocaInst* copy = builder_.CreateAlloca(argument.getParamByValType());
    copy->setAlignment(std::max(llvm::Align(place.alignment), copy->getAlign()));
    builder_.CreateMemCpy(copy, copy->getAlign(), source, llvm::commonAlignment(llvm::Align(64), place.offset),
                          place.size);
    return copy;
  }

  void clone(llvm::ValueToValueMapTy& map) {
    llvm::BasicBlock* start = builder_.GetInsertBlock();
    llvm::SmallVector<llvm::ReturnInst*, 4> returns;
    llvm::AttributeList attributes = body_->getAttributes();
    llvm::CloneFunctionInto(body_, &kernel_, map, llvm::CloneFunctionChangeType::LocalChangesOnly, returns);
    body_->setAttributes(attributes);
    body_->setCallingConv(llvm::CallingConv::C);
    body_->setLinkage(llvm::GlobalValue::InternalLinkage);
    body_->clearMetadata();
    copy_metadata();
    inherit_unnoticed_groups(*body_, kernel_);
    builder_.SetInsertPoint(start);
    builder_.CreateBr(llvm::cast<llvm::BasicBlock>(map[&kernel_.getEntryBlock()]));
  }

  void copy_metadata() {
    for (std::string_view name : {dialect::RequiredGroupSize, dialect::RequiredSubGroupSize})
      if (llvm::MDNode* node = kernel_.getMetadata(llvm::StringRef(name)))
        body_->setMetadata(llvm::StringRef(name), node);
  }

  void place_local_variables(llvm::BasicBlock* start) {
    builder_.SetInsertPoint(start->getTerminator());
    for (llvm::GlobalVariable& variable : module_.globals())
      if (variable.getAddressSpace() == dialect::Local) place_local_variable(variable);
  }

  void place_local_variable(llvm::GlobalVariable& variable) {
    llvm::convertUsersOfConstantsToInstructions({&variable}, body_, false);
    llvm::Value* address = nullptr;
    for (llvm::Use& use : llvm::make_early_inc_range(variable.uses())) {
      auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      if (!user || user->getFunction() != body_) continue;
      if (!address) address = next_local_address(variable);
      use.set(address);
    }
  }

  llvm::Value* next_local_address(llvm::GlobalVariable& variable) {
    uint64_t alignment = std::max<uint64_t>(LocalAlignment, variable.getAlign().valueOrOne().value());
    uint64_t offset = llvm::alignTo(local_bytes_, alignment);
    local_bytes_ = offset + module_.getDataLayout().getTypeAllocSize(variable.getValueType());
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), local_memory(), offset, variable.getName());
  }

  llvm::Function& kernel_;
  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
  llvm::Function* body_ = nullptr;
  llvm::Value* local_memory_ = nullptr;
  uint64_t local_bytes_ = 0;
};

} // namespace

KernelBody make_kernel_body(llvm::Function& kernel) { return BodyMaker(kernel).make(); }

} // namespace zeroth::codegen
