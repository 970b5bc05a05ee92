// What programs say about atomics on a range of memory. All memory has them all; it is kept for those who ask.
#include "context.hpp"

#include <sdk/error.hpp>

#include <algorithm>
#include <mutex>
#include <vector>

namespace zeroth::cpu {

namespace {

constexpr ze_memory_atomic_attr_exp_flags_t Unsaid = ZE_MEMORY_ATOMIC_ATTR_EXP_FLAG_HOST_ATOMICS |
                                                     ZE_MEMORY_ATOMIC_ATTR_EXP_FLAG_DEVICE_ATOMICS |
                                                     ZE_MEMORY_ATOMIC_ATTR_EXP_FLAG_SYSTEM_ATOMICS;

struct Said {
  const std::byte *begin, *end;
  std::uint64_t allocation; // its id; 0: none of ours
  ze_device_handle_t device;
  ze_memory_atomic_attr_exp_flags_t attributes;
};
struct All {
  std::mutex mutex;
  std::vector<Said> said;
};
All& all() {
  static All& only = *new All;
  return only;
}

} // namespace

ze_result_t CpuContext::mem_set_atomic_access_attribute_exp(ze_device_handle_t device, const void* pointer, size_t size,
                                                            ze_memory_atomic_attr_exp_flags_t attributes) {
  check_memory(pointer, size);
  const Heap& heap = driver_.heap();
  const auto* begin = static_cast<const std::byte*>(pointer);
  std::lock_guard lock(all().mutex);
  std::erase_if(all().said, [&](const Said& old) {
    const bool covered = old.device == device && begin < old.end && old.begin < begin + size;
    return covered || (old.allocation && heap.find(old.begin).id != old.allocation);
  });
  all().said.push_back({begin, begin + size, heap.find(pointer).id, device, attributes});
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::mem_get_atomic_access_attribute_exp(ze_device_handle_t device, const void* pointer, size_t size,
                                                            ze_memory_atomic_attr_exp_flags_t* attributes) {
  check_memory(pointer, size);
  const std::uint64_t allocation = driver_.heap().find(pointer).id;
  const auto* at = static_cast<const std::byte*>(pointer);
  std::lock_guard lock(all().mutex);
  const auto found = std::find_if(all().said.begin(), all().said.end(), [&](const Said& one) {
    return one.device == device && one.allocation == allocation && one.begin <= at && at < one.end;
  });
  *attributes = found == all().said.end() ? Unsaid : found->attributes;
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::cpu
