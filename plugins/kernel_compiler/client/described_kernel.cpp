#include "described_kernel.hpp"

namespace zeroth::compiler {
namespace {

ArgumentInfo argument_info(const spirv::Argument& a) {
  ArgumentInfo info;
  info.kind = static_cast<ArgumentKind>(a.kind);
  info.address_space = static_cast<AddressSpace>(a.address_space);
  info.access = static_cast<Access>(a.access);
  info.size = static_cast<uint32_t>(a.size);
  info.alignment = static_cast<uint32_t>(a.alignment);
  info.offset = static_cast<uint32_t>(a.offset);
  info.name = a.name;
  info.type_name = a.type_name;
  info.type_qualifiers = a.qualifiers;
  return info;
}

} // namespace

KernelInfo describe(const spirv::Kernel& kernel) {
  KernelInfo info;
  info.name = kernel.name;
  for (const spirv::Argument& argument : kernel.arguments) info.arguments.push_back(argument_info(argument));
  info.argument_block_size = static_cast<uint32_t>(kernel.argument_block_size);
  info.required_group_size = kernel.required_group_size;
  info.group_size_hint = kernel.group_size_hint;
  info.required_sub_group_size = kernel.required_sub_group_size;
  info.attributes = kernel.attributes;
  return info;
}

} // namespace zeroth::compiler
