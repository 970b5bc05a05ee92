#include "kernel.hpp"

#include "../images/image.hpp"
#include "chain.hpp"
#include "device.hpp"

#include <sdk/error.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace zeroth::cpu {

namespace {

constexpr std::size_t LocalAlignment = 128;
constexpr std::size_t Endless = std::size_t{1} << 63; // sums of sizes stop here

using compiler::ArgumentInfo;
using compiler::ArgumentKind;

// The largest divisor of `value` up to `limit`, with a bound on the search.
std::uint32_t divisor_up_to(std::uint32_t value, std::uint32_t limit) {
  for (std::uint32_t d = std::min(value, limit); d > 1; --d)
    if (value % d == 0) return d;
  return 1;
}

} // namespace

CpuKernel::CpuKernel(CpuModule& module, const compiler::KernelInfo& info, KernelCode& code)
    : module_(module), info_(info), code_(code), arguments_(info.argument_block_size),
      local_sizes_(info.arguments.size()), handles_(info.arguments.size()) {
  const auto& required = info.required_group_size;
  for (int i = 0; i < 3; ++i) launch_.group_size[i] = required[0] ? required[i] : 1;
  launch_.work_dim = 3;
  for (const ArgumentInfo& argument : info.arguments) {
    needs_value_.push_back(argument.kind != ArgumentKind::Value);
    unset_ += needs_value_.back();
  }
  lay_out_local();
  update_shape();
}

std::unique_ptr<CpuKernel> CpuKernel::without_arguments() const {
  return std::make_unique<CpuKernel>(module_, info_, code_);
}

std::unique_ptr<CpuKernel> CpuKernel::copy() const {
  auto made = without_arguments();
  made->arguments_ = arguments_;
  made->local_sizes_ = local_sizes_;
  made->handles_ = handles_;
  made->needs_value_ = needs_value_;
  made->unset_ = unset_;
  made->launch_ = launch_;
  made->shape_ = shape_;
  made->indirect_ = indirect_;
  return made;
}

ze_result_t CpuKernel::destroy() {
  delete this;
  return ZE_RESULT_SUCCESS;
}

void CpuKernel::update_shape() {
  const std::uint64_t items = std::uint64_t{launch_.group_size[0]} * launch_.group_size[1] * launch_.group_size[2];
  shape_.fit_to(*code_.slot->load(), items);
}

// Local arguments lie behind the kernel's static local memory; the block holds their offsets.
void CpuKernel::lay_out_local() {
  std::size_t end = info_.local_bytes;
  for (std::size_t i = 0; i < info_.arguments.size(); ++i) {
    if (info_.arguments[i].kind != ArgumentKind::LocalPointer) continue;
    const std::uint64_t offset = round_up(end, LocalAlignment);
    std::memcpy(arguments_.data() + info_.arguments[i].offset, &offset, sizeof offset);
    if (__builtin_add_overflow(offset, local_sizes_[i], &end) || end > Endless) end = Endless;
  }
  shape_.local_bytes = end;
}

void CpuKernel::mark_set(uint32_t index) {
  if (!needs_value_[index]) return;
  needs_value_[index] = false;
  --unset_;
}

uint32_t CpuKernel::first_unset_argument() const {
  return static_cast<uint32_t>(std::find(needs_value_.begin(), needs_value_.end(), true) - needs_value_.begin());
}

void CpuKernel::set_local(uint32_t index, size_t size) {
  local_sizes_[index] = size; // too much is refused at the launch, as a whole
  mark_set(index);
  lay_out_local();
}

// Programs pass integers of another width than the argument's: a wider one counts with its first bytes, a narrower one
// is filled up with zeros.
void CpuKernel::set_value(const ArgumentInfo& argument, uint32_t index, size_t size, const void* value) {
  const bool narrower =
      value && argument.kind == ArgumentKind::Value && argument.size <= 8 && std::has_single_bit(size);
  if (size < argument.size ? !narrower : size > argument.size && !value)
    throw Error(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, "argument {} of `{}` has {} bytes, not {}", index,
                info_.name, argument.size, size);
  std::uint8_t* target = arguments_.data() + argument.offset;
  // Programs pass null for a value whose bytes are all zero, and for a null pointer; who was shown a recorded launch
  // may give back the very value that stands here.
  const std::size_t given = value ? std::min<std::size_t>(size, argument.size) : 0;
  if (given) std::memmove(target, value, given);
  std::memset(target + given, 0, argument.size - given);
  mark_set(index);
}

// The value is a handle; the kernel gets the address of what it reads.
void CpuKernel::set_object(const ArgumentInfo& argument, uint32_t index, size_t size, const void* value,
                           const void* (*content)(void* handle)) {
  void* handle = nullptr;
  if (size != sizeof handle)
    throw Error(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, "argument {} of `{}` is a handle of {} bytes, not {}",
                index, info_.name, sizeof handle, size);
  if (value) std::memcpy(&handle, value, sizeof handle);
  if (!handle)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "argument {} of `{}` is an image or sampler and cannot be null",
                index, info_.name);
  const void* address = content(handle);
  std::memcpy(arguments_.data() + argument.offset, &address, sizeof address);
  handles_[index] = handle;
  mark_set(index);
}

const void* CpuKernel::given_value(uint32_t index) const {
  switch (info_.arguments[index].kind) {
  case ArgumentKind::LocalPointer:
    return nullptr;
  case ArgumentKind::Image:
  case ArgumentKind::Sampler:
    return &handles_[index];
  default:
    return arguments_.data() + info_.arguments[index].offset;
  }
}

ze_result_t CpuKernel::set_argument_value(uint32_t index, size_t size, const void* value) {
  if (index >= info_.arguments.size())
    throw Error(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX, "`{}` has {} arguments", info_.name,
                info_.arguments.size());
  const ArgumentInfo& argument = info_.arguments[index];
  switch (argument.kind) {
  case ArgumentKind::LocalPointer:
    set_local(index, size);
    break;
  case ArgumentKind::Value:
  case ArgumentKind::Pointer:
    set_value(argument, index, size, value);
    break;
  case ArgumentKind::Image:
    set_object(argument, index, size, value, [](void* handle) -> const void* {
      return &from_handle<CpuImage>(static_cast<ze_image_handle_t>(handle))->descriptor();
    });
    break;
  case ArgumentKind::Sampler:
    set_object(argument, index, size, value, [](void* handle) -> const void* {
      return &from_handle<CpuSampler>(static_cast<ze_sampler_handle_t>(handle))->descriptor();
    });
    break;
  }
  return ZE_RESULT_SUCCESS;
}

void CpuKernel::set_all_arguments(void** values) {
  if (!values && !info_.arguments.empty())
    throw Error(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "`{}` has {} arguments", info_.name, info_.arguments.size());
  for (uint32_t i = 0; i < info_.arguments.size(); ++i) {
    const ArgumentInfo& argument = info_.arguments[i];
    // A local argument's value is its size.
    if (argument.kind == ArgumentKind::LocalPointer) {
      if (values[i]) set_local(i, *static_cast<const size_t*>(values[i]));
    } else {
      set_argument_value(i, argument.size, values[i]);
    }
  }
}

ze_result_t CpuKernel::set_group_size(uint32_t x, uint32_t y, uint32_t z) {
  const std::uint32_t size[3] = {x, y, z};
  const std::uint64_t items = std::uint64_t{x} * y * z;
  if (items == 0 || items > MaxGroupSize || std::max({x, y, z}) > MaxGroupSize)
    throw Error(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION, "{} x {} x {} work-items; 1 to {} are possible", x, y, z,
                MaxGroupSize);
  const auto& required = info_.required_group_size;
  if (required[0] && !std::equal(size, size + 3, required.begin()))
    throw Error(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION, "`{}` requires {} x {} x {}", info_.name, required[0],
                required[1], required[2]);
  std::copy_n(size, 3, launch_.group_size);
  update_shape();
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuKernel::suggest_group_size(uint32_t global_x, uint32_t global_y, uint32_t global_z, uint32_t* x,
                                          uint32_t* y, uint32_t* z) {
  if (global_x == 0 || global_y == 0 || global_z == 0)
    throw Error(ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION, std::string("a global size of 0"));
  const auto& required = info_.required_group_size;
  if (required[0]) {
    *x = required[0], *y = required[1], *z = required[2];
    return ZE_RESULT_SUCCESS;
  }
  constexpr std::uint32_t Usual = 256; // enough vectors to hide latency, enough groups to balance threads
  *x = divisor_up_to(global_x, Usual);
  *y = divisor_up_to(global_y, Usual / *x);
  *z = divisor_up_to(global_z, Usual / (*x * *y));
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuKernel::suggest_max_cooperative_group_count(uint32_t* count) {
  *count = from_handle<CpuDevice>(module_.device())->executor().threads();
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuKernel::set_indirect_access(ze_kernel_indirect_access_flags_t flags) {
  indirect_ = flags; // all memory is always within reach
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuKernel::get_indirect_access(ze_kernel_indirect_access_flags_t* flags) {
  *flags = indirect_;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuKernel::get_source_attributes(uint32_t* size, char** text) {
  if (text && *text) std::memcpy(*text, info_.attributes.c_str(), std::min<size_t>(*size, info_.attributes.size() + 1));
  *size = static_cast<uint32_t>(info_.attributes.size() + 1);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuKernel::get_properties(ze_kernel_properties_t* properties) {
  ze_kernel_properties_t& p = *properties;
  p.numKernelArgs = static_cast<uint32_t>(info_.arguments.size());
  p.requiredGroupSizeX = info_.required_group_size[0];
  p.requiredGroupSizeY = info_.required_group_size[1];
  p.requiredGroupSizeZ = info_.required_group_size[2];
  p.requiredNumSubGroups = 0;
  p.requiredSubgroupSize = info_.required_sub_group_size;
  p.maxSubgroupSize = info_.sub_group_size;
  p.maxNumSubgroups = (MaxGroupSize + info_.sub_group_size - 1) / info_.sub_group_size;
  p.localMemSize = static_cast<uint32_t>(info_.local_bytes);
  p.privateMemSize = static_cast<uint32_t>(info_.private_bytes);
  p.spillMemSize = static_cast<uint32_t>(info_.spill_bytes);
  const auto uuid = stable_uuid({.name = info_.name}, static_cast<std::uint32_t>(info_.argument_block_size), 0);
  std::memcpy(p.uuid.kid, uuid.data(), sizeof p.uuid.kid);
  std::memcpy(p.uuid.mid, module_.uuid().data(), sizeof p.uuid.mid);
  for_each_in_chain(p.pNext, [this](ze_structure_type_t stype, void* item) {
    if (stype == ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES)
      static_cast<ze_kernel_preferred_group_size_properties_t*>(item)->preferredMultiple = info_.width;
    if (stype == ZE_STRUCTURE_TYPE_KERNEL_MAX_GROUP_SIZE_EXT_PROPERTIES)
      static_cast<ze_kernel_max_group_size_properties_ext_t*>(item)->maxGroupSize = MaxGroupSize;
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuKernel::get_name(size_t* size, char* name) {
  if (name) std::memcpy(name, info_.name.c_str(), std::min(*size, info_.name.size() + 1));
  *size = info_.name.size() + 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuKernel::get_module_handle(ze_module_handle_t* module) {
  *module = to_handle(&module_);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuKernel::set_global_offset_exp(uint32_t x, uint32_t y, uint32_t z) {
  launch_.global_offset[0] = x;
  launch_.global_offset[1] = y;
  launch_.global_offset[2] = z;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuKernel::get_binary_exp(size_t* size, uint8_t* binary) { return module_.get_native_binary(size, binary); }

} // namespace zeroth::cpu
