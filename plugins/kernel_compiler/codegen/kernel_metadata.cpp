#include "kernel_metadata.hpp"

#include "../dialect.hpp"
#include "../image_abi.h"
#include "codegen.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

namespace zeroth::codegen {

namespace {

uint64_t integer(const llvm::MDNode& node, unsigned index) {
  if (index >= node.getNumOperands()) return 0;
  const auto* value = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node.getOperand(index));
  return value ? value->getZExtValue() : 0;
}

ArgumentPlace natural_place(const llvm::Argument& argument, const llvm::DataLayout& layout, uint64_t end) {
  llvm::Type* type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
  ArgumentPlace place;
  const auto* pointer = llvm::dyn_cast<llvm::PointerType>(type);
  place.local = pointer && pointer->getAddressSpace() == dialect::Local;
  place.size = layout.getTypeAllocSize(type);
  place.alignment = layout.getABITypeAlign(type).value();
  place.offset = llvm::alignTo(end, place.alignment);
  return place;
}

ArgumentPlace stated_place(const llvm::MDNode& node) {
  ArgumentPlace place;
  const auto* kind = llvm::dyn_cast_or_null<llvm::MDString>(node.getOperand(0));
  if (kind) {
    place.local = kind->getString() == "local";
    if (kind->getString() == "image") place.descriptor_size = sizeof(zeroth_image);
    if (kind->getString() == "sampler") place.descriptor_size = sizeof(zeroth_sampler);
  }
  place.size = integer(node, 2);
  place.alignment = std::max<uint64_t>(1, integer(node, 3));
  place.offset = integer(node, 4);
  return place;
}

} // namespace

std::array<uint32_t, 3> required_group_size(const llvm::Function& kernel) {
  const llvm::MDNode* node = kernel.getMetadata(llvm::StringRef(dialect::RequiredGroupSize));
  std::array<uint32_t, 3> size{};
  if (!node) return size;
  for (unsigned d = 0; d < 3; ++d) size[d] = std::max<uint32_t>(1, uint32_t(integer(*node, d)));
  return size;
}

uint32_t required_sub_group_size(const llvm::Function& kernel) {
  const llvm::MDNode* node = kernel.getMetadata(llvm::StringRef(dialect::RequiredSubGroupSize));
  return node ? uint32_t(integer(*node, 0)) : 0;
}

std::vector<ArgumentPlace> argument_places(const llvm::Function& kernel) {
  const llvm::DataLayout& layout = kernel.getParent()->getDataLayout();
  const llvm::MDNode* stated = kernel.getMetadata(llvm::StringRef(dialect::Arguments));
  if (stated && stated->getNumOperands() != kernel.arg_size())
    throw CodegenError("kernel " + kernel.getName().str() + ": argument metadata does not fit its arguments");
  std::vector<ArgumentPlace> places;
  uint64_t end = 0;
  for (const llvm::Argument& argument : kernel.args()) {
    const auto* node = stated ? llvm::dyn_cast<llvm::MDNode>(stated->getOperand(argument.getArgNo())) : nullptr;
    places.push_back(node && node->getNumOperands() >= 5 ? stated_place(*node) : natural_place(argument, layout, end));
    end = places.back().offset + places.back().size;
  }
  return places;
}

} // namespace zeroth::codegen
