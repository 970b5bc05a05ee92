#include "chain.hpp"
#include "context.hpp"
#include "deferred_free.hpp"
#include "device.hpp"

#include <sdk/error.hpp>

#include <sys/mman.h>

namespace zeroth::cpu {

namespace {

ze_memory_type_t type_of(MemoryKind kind) {
  switch (kind) {
  case MemoryKind::Host:
    return ZE_MEMORY_TYPE_HOST;
  case MemoryKind::Device:
    return ZE_MEMORY_TYPE_DEVICE;
  case MemoryKind::Shared:
    return ZE_MEMORY_TYPE_SHARED;
  case MemoryKind::Reserved:
    return ZE_MEMORY_TYPE_DEVICE;
  case MemoryKind::Unknown:
    break;
  }
  return ZE_MEMORY_TYPE_UNKNOWN;
}

// "Must be zero or a power-of-two", the specification says.
void check_alignment(std::size_t alignment) {
  constexpr std::size_t Largest = std::size_t{1} << 30;
  if (alignment > Largest || (alignment & (alignment - 1)) != 0)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, "an alignment of {}; possible are 0 and powers of two up to {}",
                alignment, Largest);
}

} // namespace

CpuContext::Wishes CpuContext::wishes(const void* chain) {
  auto* limits = find_in_chain<ze_relaxed_allocation_limits_exp_desc_t>(
      chain, ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC);
  auto* later = find_in_chain<ze_relaxed_allocation_limits_ext_desc_t>(
      chain, ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXT_DESC);
  return {(limits && (limits->flags & ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE)) ||
              (later && (later->flags & ZE_RELAXED_ALLOCATION_LIMITS_EXT_FLAG_MAX_SIZE)),
          find_in_chain<void>(chain, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC) != nullptr};
}

MemoryOwner CpuContext::owner(ze_device_handle_t device) const {
  return {this, device, device ? from_handle<CpuDevice>(device)->node() : -1};
}

void* CpuContext::allocate(size_t size, size_t alignment, MemoryKind kind, ze_device_handle_t device, Wishes wishes) {
  if (size == 0) throw Error(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, std::string("an allocation of 0 bytes"));
  const std::uint64_t limit = driver_.facts().memory_bytes;
  if (size > limit && !wishes.relaxed)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "{} bytes are more than the largest allocation, {}", size, limit);
  constexpr std::uint64_t MostOvercommitted = 4; // times the memory: address space is not endless either
  if (size / MostOvercommitted > limit)
    throw Error(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "{} bytes are beyond all memory, {}", size, limit);
  try {
    Heap& heap = driver_.heap();
    if (wishes.exportable) [[unlikely]]
      return heap.allocate_alone(size, alignment, kind, owner(device));
    return heap.allocate(size, alignment, kind, owner(device));
  } catch (const std::bad_alloc&) {
    throw Error(kind == MemoryKind::Host ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY : ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY,
                "{} bytes are not to be had", size);
  }
}

ze_result_t CpuContext::mem_alloc_shared(const ze_device_mem_alloc_desc_t* device_desc,
                                         const ze_host_mem_alloc_desc_t* host_desc, size_t size, size_t alignment,
                                         ze_device_handle_t device, void** pointer) {
  check_alignment(alignment);
  if ((*pointer = import_memory(device_desc->pNext, size, MemoryKind::Shared, device))) return ZE_RESULT_SUCCESS;
  const Wishes of_device = wishes(device_desc->pNext), of_host = wishes(host_desc->pNext);
  *pointer = allocate(size, alignment, MemoryKind::Shared, device,
                      {of_device.relaxed || of_host.relaxed, of_device.exportable || of_host.exportable});
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::mem_alloc_device(const ze_device_mem_alloc_desc_t* desc, size_t size, size_t alignment,
                                         ze_device_handle_t device, void** pointer) {
  check_alignment(alignment);
  if ((*pointer = import_memory(desc->pNext, size, MemoryKind::Device, device))) return ZE_RESULT_SUCCESS;
  *pointer = allocate(size, alignment, MemoryKind::Device, device, wishes(desc->pNext));
  return ZE_RESULT_SUCCESS;
}

// The device sees all memory of the program: what is mapped is the very memory, at its own address.
void* CpuContext::take_program_memory(const ze_external_memmap_sysmem_ext_desc_t& memory, size_t size, size_t alignment,
                                      bool read_only) {
  void* base = memory.pSystemMemory;
  const auto address = reinterpret_cast<std::uintptr_t>(base);
  if (!base || address % base_page_size() || memory.size % base_page_size())
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "memory of {} bytes at {} is no whole number of pages of {}",
                memory.size, base, base_page_size());
  if (size == 0 || size > memory.size)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "{} bytes of memory that has {}", size, memory.size);
  if (alignment && address % alignment)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, "{} has no alignment of {}", base, alignment);
  if (!is_mapped(base, memory.size, !read_only))
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "there are no {} bytes of {} memory at {}", memory.size,
                read_only ? "readable" : "writable", base);
  if (!driver_.heap().adopt_program_memory(base, memory.size, MemoryKind::Host, owner(nullptr)))
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "memory at {} is known to the device already", base);
  return base;
}

ze_result_t CpuContext::mem_alloc_host(const ze_host_mem_alloc_desc_t* desc, size_t size, size_t alignment,
                                       void** pointer) {
  check_alignment(alignment);
  if (auto* own = find_in_chain<ze_external_memmap_sysmem_ext_desc_t>(
          desc->pNext, ZE_STRUCTURE_TYPE_EXTERNAL_MEMMAP_SYSMEM_EXT_DESC)) {
    *pointer = take_program_memory(*own, size, alignment, desc->flags & ZE_HOST_MEM_ALLOC_FLAG_MEM_READ_ONLY);
    return ZE_RESULT_SUCCESS;
  }
  if ((*pointer = import_memory(desc->pNext, size, MemoryKind::Host, nullptr))) return ZE_RESULT_SUCCESS;
  *pointer = allocate(size, alignment, MemoryKind::Host, nullptr, wishes(desc->pNext));
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::mem_free(void* pointer) {
  if (driver_.heap().release(pointer)) return ZE_RESULT_SUCCESS;
  throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} is no start of a live allocation", pointer);
}

// Both policies demand that the device's work with the memory ends first; nothing says which work that is, so all of
// it. With both the one that does not block serves.
ze_result_t CpuContext::mem_free_ext(const ze_memory_free_ext_desc_t* desc, void* pointer) {
  if (desc->freePolicy & ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE) {
    DeferredFree::begin(driver_, pointer);
    return ZE_RESULT_SUCCESS;
  }
  if (desc->freePolicy) driver_.device().synchronize();
  return mem_free(pointer);
}

ze_result_t CpuContext::mem_get_alloc_properties(const void* pointer, ze_memory_allocation_properties_t* properties,
                                                 ze_device_handle_t* device) {
  const Allocation found = driver_.heap().find(pointer);
  properties->type = type_of(found.kind);
  properties->id = found.id;
  properties->pageSize = found ? base_page_size() : 0;
  if (device) *device = static_cast<ze_device_handle_t>(found.owner.device);
  for_each_in_chain(properties->pNext, [&](ze_structure_type_t stype, void* item) {
    if (stype == ZE_STRUCTURE_TYPE_MEMORY_SUB_ALLOCATIONS_EXP_PROPERTIES)
      if (auto* sub = static_cast<ze_memory_sub_allocations_exp_properties_t*>(item); sub->pCount) *sub->pCount = 0;
    if (stype == ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD) {
      auto& out = *static_cast<ze_external_memory_export_fd_t*>(item);
      out.fd = export_descriptor(found, out.flags);
    }
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::mem_get_address_range(const void* pointer, void** base, size_t* size) {
  const Allocation found = driver_.heap().find(pointer);
  if (!found) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} is in no allocation", pointer);
  if (base) *base = found.base;
  if (size) *size = found.size;
  return ZE_RESULT_SUCCESS;
}

void CpuContext::check_memory(const void* pointer, size_t size) const {
  const Allocation found = driver_.heap().find(pointer);
  if (!found) { // the program's own memory, which kernels may use too, or nothing at all
    unsigned char resident;
    const auto page = reinterpret_cast<std::uintptr_t>(pointer) / base_page_size() * base_page_size();
    if (mincore(reinterpret_cast<void*>(page), 1, &resident) == 0) return;
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "there is no memory at {}", pointer);
  }
  const auto* end = static_cast<const std::byte*>(found.base) + found.size;
  if (size > static_cast<std::size_t>(end - static_cast<const std::byte*>(pointer)))
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} bytes from {} go beyond the allocation", size, pointer);
}

ze_result_t CpuContext::make_memory_resident(ze_device_handle_t, void*, size_t) { return ZE_RESULT_SUCCESS; }
ze_result_t CpuContext::evict_memory(ze_device_handle_t, void*, size_t) { return ZE_RESULT_SUCCESS; }

} // namespace zeroth::cpu
