#include "../memory/virtual_ranges.hpp"
#include "chain.hpp"
#include "context.hpp"
#include "device.hpp"

#include <sdk/error.hpp>

#include <fcntl.h>
#include <sys/mman.h>

namespace zeroth::cpu {

namespace {

// All that live: handles of physical memory may be given where pointers are expected.
struct Live {
  std::mutex mutex;
  std::map<const void*, std::shared_ptr<PhysicalPages>> by_handle;
};
Live& live() {
  static Live& only = *new Live;
  return only;
}

class CpuPhysicalMem final : public device::PhysicalMem {
public:
  explicit CpuPhysicalMem(std::shared_ptr<PhysicalPages> its) : pages(std::move(its)) {
    std::lock_guard lock(live().mutex);
    live().by_handle[to_handle(this)] = pages;
  }
  ~CpuPhysicalMem() override {
    std::lock_guard lock(live().mutex);
    live().by_handle.erase(to_handle(this));
  }
  const std::shared_ptr<PhysicalPages> pages;
};

std::size_t page_size_for(std::size_t size) { return size >= HugePage ? HugePage : Granule; }

void check_size(std::size_t size) {
  if (size == 0 || size % Granule)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "{} bytes are no whole number of pages of {}", size, Granule);
}

void check_range(const void* pointer, std::size_t size) {
  if (reinterpret_cast<std::uintptr_t>(pointer) % Granule)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, "{} is not at a page of {} bytes", pointer, Granule);
  check_size(size);
}

ze_result_t answer(bool right, const void* pointer, std::size_t size) {
  if (right) return ZE_RESULT_SUCCESS;
  throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} with {} bytes is no such range", pointer, size);
}

void check_mappable(int file, std::uint64_t offset, std::size_t size) {
  void* base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, static_cast<off_t>(offset));
  if (base == MAP_FAILED)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "descriptor {} cannot be mapped for reading and writing", file);
  munmap(base, size);
}

// A block of few bytes has its page to itself, if it was allocated to be exported.
std::shared_ptr<PhysicalPages> imported_pages(const ImportSource& source, std::size_t size) {
  if (source.offset % base_page_size())
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "descriptor {} is of memory that was not allocated to be exported",
                source.file);
  if (size > source.room)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "{} bytes of descriptor {}, which has {}", size, source.file,
                source.room);
  Descriptor own(fcntl(source.file, F_DUPFD_CLOEXEC, 0));
  if (!own) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} is no descriptor", source.file);
  check_mappable(own.number(), source.offset, size);
  return std::make_shared<PhysicalPages>(std::move(own), source.offset, size);
}

PageAccess access_of(ze_memory_access_attribute_t access) {
  switch (access) {
  case ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE:
    return PageAccess::ReadWrite;
  case ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY:
    return PageAccess::ReadOnly;
  default:
    return PageAccess::None;
  }
}

ze_memory_access_attribute_t attribute_of(PageAccess access) {
  switch (access) {
  case PageAccess::ReadWrite:
    return ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE;
  case PageAccess::ReadOnly:
    return ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY;
  case PageAccess::None:
    break;
  }
  return ZE_MEMORY_ACCESS_ATTRIBUTE_NONE;
}

} // namespace

ze_result_t CpuContext::virtual_mem_query_page_size(ze_device_handle_t, size_t size, size_t* page_size) {
  if (size == 0) throw Error(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, std::string("pages for 0 bytes"));
  *page_size = page_size_for(size);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::virtual_mem_reserve(const void* start, size_t size, void** pointer) {
  check_size(size);
  void* base = driver_.virtual_ranges().reserve(start, size);
  driver_.heap().adopt({base, size}, base, size, MemoryKind::Reserved, {this, to_handle(&driver_.device())},
                       Origin::Reserved);
  *pointer = base;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::virtual_mem_free(const void* pointer, size_t size) {
  check_range(pointer, size);
  const Allocation found = driver_.heap().find(pointer);
  const bool whole = found.kind == MemoryKind::Reserved && found.base == pointer && found.size == size;
  if (whole) driver_.heap().forget(found.base, Origin::Reserved); // before the range can be someone else's
  return answer(whole && driver_.virtual_ranges().release(pointer, size), pointer, size);
}

std::shared_ptr<PhysicalPages> CpuContext::physical_pages(const void* handle) {
  std::lock_guard lock(live().mutex);
  const auto found = live().by_handle.find(handle);
  return found == live().by_handle.end() ? nullptr : found->second;
}

ze_result_t CpuContext::physical_mem_create(ze_device_handle_t, ze_physical_mem_desc_t* desc,
                                            ze_physical_mem_handle_t* memory) {
  check_size(desc->size);
  const auto source = import_source(desc->pNext);
  *memory = to_handle(
      new CpuPhysicalMem(source ? imported_pages(*source, desc->size) : std::make_shared<PhysicalPages>(desc->size)));
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::physical_mem_destroy(ze_physical_mem_handle_t memory) {
  delete from_handle<CpuPhysicalMem>(memory);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::physical_mem_get_properties(ze_physical_mem_handle_t memory,
                                                    ze_physical_mem_properties_t* properties) {
  PhysicalPages& pages = *from_handle<CpuPhysicalMem>(memory)->pages;
  properties->id = pages.id();
  properties->size = pages.size();
  for_each_in_chain(properties->pNext, [&](ze_structure_type_t stype, void* item) {
    if (stype != ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD) return;
    auto& out = *static_cast<ze_external_memory_export_fd_t*>(item);
    out.fd = export_descriptor(pages, out.flags);
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::virtual_mem_map(const void* pointer, size_t size, ze_physical_mem_handle_t memory,
                                        size_t offset, ze_memory_access_attribute_t access) {
  check_range(pointer, size);
  if (offset % Granule) throw Error(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, "offset {} is not at a page", offset);
  const auto& pages = from_handle<CpuPhysicalMem>(memory)->pages;
  return answer(driver_.virtual_ranges().map(pointer, size, pages, offset, access_of(access)), pointer, size);
}

ze_result_t CpuContext::virtual_mem_unmap(const void* pointer, size_t size) {
  check_range(pointer, size);
  return answer(driver_.virtual_ranges().unmap(pointer, size), pointer, size);
}

ze_result_t CpuContext::virtual_mem_set_access_attribute(const void* pointer, size_t size,
                                                         ze_memory_access_attribute_t access) {
  check_range(pointer, size);
  return answer(driver_.virtual_ranges().set_access(pointer, size, access_of(access)), pointer, size);
}

ze_result_t CpuContext::virtual_mem_get_access_attribute(const void* pointer, size_t size,
                                                         ze_memory_access_attribute_t* access, size_t* out_size) {
  check_range(pointer, size);
  PageAccess found = PageAccess::None;
  const bool mapped = driver_.virtual_ranges().get_access(pointer, size, found, *out_size);
  *access = attribute_of(found);
  return answer(mapped, pointer, size);
}

} // namespace zeroth::cpu
