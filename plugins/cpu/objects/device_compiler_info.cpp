// What modules may use, as the compiler's own tables say.
#include "device.hpp"

#include <sdk/error.hpp>

#include <kernel_compiler/spirv/extension_list.hpp>

#include <cstring>

namespace zeroth::cpu {

namespace {

// A buffer that is too small is not touched: the caller learns the size.
void hand_out_bytes(const void* from, size_t bytes, size_t* size, void* to) {
  if (to && *size >= bytes && bytes) std::memcpy(to, from, bytes);
  *size = bytes;
}

std::vector<char> extension_names() {
  const auto accepted = spirv::accepted_extensions();
  std::vector<char> names(accepted.size() * ZE_MAX_EXTENSION_NAME);
  char* to = names.data();
  for (std::string_view name : accepted) {
    name.copy(to, ZE_MAX_EXTENSION_NAME - 1);
    to += ZE_MAX_EXTENSION_NAME;
  }
  return names;
}

} // namespace

ze_result_t CpuDevice::get_compiler_info(ze_device_compiler_info_t what, const void* next, size_t* size, void* data) {
  if (next) throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, std::string("extensions of queries about the compiler"));
  switch (what) {
  case ZE_DEVICE_COMPILER_INFO_SPIRV_CAPABILITIES: {
    const auto numbers = spirv::accepted_capabilities();
    hand_out_bytes(numbers.data(), numbers.size() * sizeof numbers[0], size, data);
    return ZE_RESULT_SUCCESS;
  }
  case ZE_DEVICE_COMPILER_INFO_SPIRV_EXTENSIONS: {
    const auto names = extension_names();
    hand_out_bytes(names.data(), names.size(), size, data);
    return ZE_RESULT_SUCCESS;
  }
  case ZE_DEVICE_COMPILER_INFO_COMPILER_OPTIONS:
  case ZE_DEVICE_COMPILER_INFO_DRIVER_OPTIONS: // no public document says how a list of options is laid out
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, std::string("lists of options"));
  default:
    throw Error(ZE_RESULT_ERROR_INVALID_ENUMERATION, "the compiler has no list {}", static_cast<int>(what));
  }
}

} // namespace zeroth::cpu
