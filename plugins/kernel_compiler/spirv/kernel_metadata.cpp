// What code generation needs to know of a kernel, as metadata of its function (names in ../dialect.hpp).
#include "../dialect.hpp"
#include "module_reader.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

namespace zeroth::spirv {
namespace {

llvm::Metadata* number(llvm::LLVMContext& context, unsigned width, uint64_t value) {
  return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getIntNTy(context, width), value));
}

llvm::MDNode* argument_node(llvm::LLVMContext& context, const Argument& argument) {
  static constexpr const char* kinds[] = {"value", "pointer", "local", "image", "sampler"};
  static constexpr const char* accesses[] = {"", "read_only", "write_only", "read_write"};
  const auto text = [&](llvm::StringRef s) { return llvm::MDString::get(context, s); };
  return llvm::MDNode::get(context, {text(kinds[size_t(argument.kind)]), number(context, 32, argument.address_space),
                                     number(context, 64, argument.size), number(context, 64, argument.alignment),
                                     number(context, 64, argument.offset), text(accesses[size_t(argument.access)]),
                                     text(argument.name), text(argument.type_name), text(argument.qualifiers)});
}

void attach(llvm::Function& function, std::string_view name, llvm::ArrayRef<llvm::Metadata*> values) {
  function.setMetadata(llvm::StringRef(name.data(), name.size()), llvm::MDNode::get(function.getContext(), values));
}

void attach_size(llvm::Function& function, std::string_view name, const std::array<uint32_t, 3>& size) {
  if (size[0] == 0) return;
  llvm::LLVMContext& context = function.getContext();
  attach(function, name, {number(context, 32, size[0]), number(context, 32, size[1]), number(context, 32, size[2])});
}

} // namespace

void attach_kernel_metadata(llvm::Function& function, const Kernel& kernel) {
  llvm::LLVMContext& context = function.getContext();
  llvm::SmallVector<llvm::Metadata*, 16> arguments;
  for (const Argument& argument : kernel.arguments) arguments.push_back(argument_node(context, argument));
  attach(function, dialect::Arguments, arguments);
  attach(function, dialect::ArgumentBlockSize, {number(context, 64, kernel.argument_block_size)});
  attach_size(function, dialect::RequiredGroupSize, kernel.required_group_size);
  attach_size(function, dialect::GroupSizeHint, kernel.group_size_hint);
  attach_size(function, dialect::MaxGroupSize, kernel.max_group_size);
  if (kernel.required_sub_group_size)
    attach(function, dialect::RequiredSubGroupSize, {number(context, 32, kernel.required_sub_group_size)});
  if (!kernel.attributes.empty())
    attach(function, dialect::Attributes, {llvm::MDString::get(context, kernel.attributes)});
}

} // namespace zeroth::spirv
