#include "interleave_private.hpp"

#include <llvm/Analysis/Utils/Local.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace zeroth::codegen {

namespace {

constexpr uint64_t MostMoved = 64; // elements, of a copy or fill

constexpr const char* Mark = "zeroth.interleaved"; // !{i64 bytes of an element}

// All that is done with an array, if it is nothing but accesses to its elements.
class Elements {
public:
  explicit Elements(llvm::AllocaInst& memory) : memory_(memory), layout_(memory.getDataLayout()) {
    alike_ = !memory.isArrayAllocation() && follow(memory) && size_ &&
             layout_.getTypeAllocSize(memory.getAllocatedType()) > size_ &&
             llvm::all_of(moves_, [&](const llvm::MemIntrinsic* move) { return is_of_elements(*move); });
  }

  bool are_alike() const { return alike_; }

  void interleave(unsigned lanes) {
    for (llvm::GetElementPtrInst* address : addresses_) {
      llvm::IRBuilder<> builder(address);
      address->setNoWrapFlags(llvm::GEPNoWrapFlags::none()); // they held for another distance
      llvm::Value* offset = llvm::emitGEPOffset(&builder, layout_, address);
      offset = builder.CreateMul(offset, llvm::ConstantInt::get(offset->getType(), lanes));
      address->replaceAllUsesWith(builder.CreateGEP(builder.getInt8Ty(), address->getPointerOperand(), offset));
      address->eraseFromParent();
    }
    for (llvm::MemIntrinsic* move : moves_) {
      expand(*move, lanes);
      move->eraseFromParent();
    }
    llvm::LLVMContext& context = memory_.getContext();
    auto* size = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), size_);
    memory_.setMetadata(Mark, llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(size)));
  }

private:
  bool follow(llvm::Value& pointer) {
    return llvm::all_of(pointer.users(), [&](llvm::User* user) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
        return load->isSimple() && is_element(load->getType(), load->getAlign());
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
        return store->isSimple() && store->getValueOperand() != &pointer &&
               is_element(store->getValueOperand()->getType(), store->getAlign());
      if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        addresses_.push_back(address);
        return !address->getType()->isVectorTy() && follow(*address);
      }
      if (auto* move = llvm::dyn_cast<llvm::MemIntrinsic>(user)) {
        moves_.push_back(move);
        return !move->isVolatile() && llvm::isa<llvm::MemCpyInst, llvm::MemSetInst>(move) && is_known_move(*move);
      }
      return llvm::cast<llvm::Instruction>(user)->isLifetimeStartOrEnd();
    });
  }

  static bool is_known_move(const llvm::MemIntrinsic& move) {
    const auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&move);
    return llvm::isa<llvm::ConstantInt>(move.getLength()) && (!fill || llvm::isa<llvm::ConstantInt>(fill->getValue()));
  }

  bool is_mine(const llvm::Value* pointer) const { return llvm::getUnderlyingObject(pointer) == &memory_; }

  bool is_of_elements(const llvm::MemIntrinsic& move) const {
    const uint64_t bytes = llvm::cast<llvm::ConstantInt>(move.getLength())->getZExtValue();
    const auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&move);
    const bool both = copy && is_mine(copy->getRawDest()) && is_mine(copy->getRawSource());
    const llvm::MaybeAlign alignment = is_mine(move.getRawDest()) ? move.getDestAlign() : copy->getSourceAlign();
    return !both && bytes % size_ == 0 && bytes / size_ <= MostMoved && alignment.valueOrOne() >= size_;
  }

  // Copies and fills, element by element. Vectors on the other side would be faster where they lie side by side, but
  // shuffling sixteen of them takes four times as long to compile.
  void expand(llvm::MemIntrinsic& move, unsigned lanes) {
    llvm::IRBuilder<> builder(&move);
    llvm::Type* type = builder.getIntNTy(unsigned(8 * size_));
    auto at = [&](llvm::Value* base, uint64_t element, uint64_t distance) {
      return builder.CreateGEP(builder.getInt8Ty(), base, builder.getInt64(element * distance * size_));
    };
    auto load = [&](llvm::Value* from, llvm::Align alignment) {
      return builder.CreateAlignedLoad(type, from, alignment);
    };
    auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&move);
    const bool into = is_mine(move.getRawDest());
    const llvm::Align mine(size_);
    const uint64_t count = llvm::cast<llvm::ConstantInt>(move.getLength())->getZExtValue() / size_;
    for (uint64_t i = 0; i < count; ++i) {
      auto other = [&](llvm::MaybeAlign whole) { return llvm::commonAlignment(whole.valueOrOne(), i * size_); };
      if (!copy)
        builder.CreateAlignedStore(builder.getInt(llvm::APInt::getSplat(unsigned(8 * size_), fill_of(move))),
                                   at(move.getRawDest(), i, lanes), mine);
      else if (into)
        builder.CreateAlignedStore(load(at(copy->getRawSource(), i, 1), other(copy->getSourceAlign())),
                                   at(copy->getRawDest(), i, lanes), mine);
      else
        builder.CreateAlignedStore(load(at(copy->getRawSource(), i, lanes), mine), at(copy->getRawDest(), i, 1),
                                   other(copy->getDestAlign()));
    }
  }

  static llvm::APInt fill_of(const llvm::MemIntrinsic& move) {
    return llvm::cast<llvm::ConstantInt>(llvm::cast<llvm::MemSetInst>(move).getValue())->getValue();
  }

  bool is_element(llvm::Type* type, llvm::Align alignment) {
    if (!type->isIntegerTy() && !type->isFloatingPointTy()) return false;
    const uint64_t size = layout_.getTypeStoreSize(type);
    if (layout_.getTypeSizeInBits(type) != 8 * size || !llvm::isPowerOf2_64(size) || size > 8 || alignment < size)
      return false;
    if (!size_) size_ = size;
    return size_ == size;
  }

  llvm::AllocaInst& memory_;
  const llvm::DataLayout& layout_;
  llvm::SmallVector<llvm::GetElementPtrInst*> addresses_; // each after what it starts from
  llvm::SmallVector<llvm::MemIntrinsic*> moves_;
  uint64_t size_ = 0;
  bool alike_ = false;
};

} // namespace

void interleave_private_memory(llvm::Function& function, unsigned lanes) {
  llvm::SmallVector<llvm::AllocaInst*> arrays;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) arrays.push_back(memory);
  for (llvm::AllocaInst* memory : arrays)
    if (Elements elements(*memory); elements.are_alike()) elements.interleave(lanes);
}

uint64_t interleaved_bytes(const llvm::AllocaInst& memory) {
  const llvm::MDNode* mark = memory.getMetadata(Mark);
  return mark ? llvm::mdconst::extract<llvm::ConstantInt>(mark->getOperand(0))->getZExtValue() : 0;
}

} // namespace zeroth::codegen
