// Memory across processes: IPC handles and external memory.
#include "../memory/file_mapping.hpp"
#include "../share/ipc_handle.hpp"
#include "chain.hpp"
#include "context.hpp"
#include "device.hpp"

#include <sdk/error.hpp>

#include <climits>
#include <fcntl.h>
#include <new>

namespace zeroth::cpu {

namespace {

// Takes the memory's pages into this process as a block of the heap.
void* open_part(Heap& heap, int file, std::uint64_t offset, std::size_t size, MemoryKind kind, MemoryOwner owner,
                Origin origin) {
  const FileMapping mapped = map_file(file, offset, size);
  heap.adopt(mapped.mapping, mapped.block, size, kind, owner, origin);
  return mapped.block;
}

IpcHandle handle_of_bare_descriptor(int file) {
  SharedFileFacts facts;
  SharedBlock block;
  const off_t position = lseek(file, 0, SEEK_CUR); // names the block, see SharedFile::descriptor_of
  const auto entry = static_cast<std::uint32_t>(position > 0 ? position : 0);
  if (!read_facts(file, facts) || !read_block(file, facts, entry, block))
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "descriptor {} is none of an exported allocation", file);
  IpcHandle handle;
  handle.file = file;
  handle.process = getpid();
  handle.secret = facts.secret;
  handle.id = block.id;
  handle.offset = block.offset;
  handle.size = block.size;
  handle.entry = entry;
  return handle;
}

bool fabric_wanted(const void* chain) {
  auto* type = find_in_chain<ze_ipc_mem_handle_type_ext_desc_t>(chain, ZE_STRUCTURE_TYPE_IPC_MEM_HANDLE_TYPE_EXT_DESC);
  return type && (type->typeFlags & ZE_IPC_MEM_HANDLE_TYPE_FLAG_FABRIC_ACCESSIBLE);
}

constexpr ze_external_memory_type_flags_t ByDescriptor =
    ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD | ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF;

int give_descriptor(int file, ze_external_memory_type_flags_t flags) {
  if (!(flags & ByDescriptor) || (flags & ~ByDescriptor))
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, "external memory of type {:#x}", flags);
  const int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (own < 0) throw std::bad_alloc();
  return own;
}

// What a descriptor stands for: one block of a file of our kind, else all of the file. A block of a file of its own
// outlives its owner in whoever holds the descriptor.
ImportSource source_of(int file) {
  SharedFileFacts facts;
  if (!read_facts(file, facts)) return {file, 0, size_of_file(file), size_of_file(file)};
  const off_t position = facts.blocks == 1 ? 0 : lseek(file, 0, SEEK_CUR); // see SharedFile::descriptor_of
  SharedBlock block;
  if (read_block(file, facts, static_cast<std::uint32_t>(position), block))
    return {file, block.offset, block.size, facts.blocks == 1 ? facts.bytes - block.offset : block.size};
  if (facts.blocks == 1) return {file, 0, facts.bytes, facts.bytes};
  throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "descriptor {} is of memory that was freed", file);
}

} // namespace

std::optional<ImportSource> CpuContext::import_source(const void* chain) {
  if (find_in_chain<void>(chain, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_WIN32))
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, std::string("handles of another operating system"));
  auto* import = find_in_chain<ze_external_memory_import_fd_t>(chain, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD);
  if (!import) return {};
  if (!(import->flags & ByDescriptor) || (import->flags & ~ByDescriptor))
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, "external memory of type {:#x}", import->flags);
  if (fcntl(import->fd, F_GETFD) < 0)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} is no open descriptor", import->fd);
  return source_of(import->fd);
}

IpcHandle CpuContext::export_pages(PhysicalPages& pages, size_t offset, size_t size) {
  if (pages.imported())
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                std::string("physical memory that came from elsewhere: export it there"));
  return pages.export_range(offset, size, static_cast<std::uint64_t>(MemoryKind::Device));
}

// `pointer`: the start of an allocation, a place in a mapped range, or a handle of physical memory.
IpcHandle CpuContext::export_memory(const void* pointer, size_t size) {
  const Allocation found = driver_.heap().find(pointer);
  if (found.origin == Origin::Reserved) {
    const VirtualRanges::Backing backing = driver_.virtual_ranges().backing(pointer, size);
    if (!backing.pages)
      throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} with {} bytes is no part of one physical memory", pointer,
                  size);
    return export_pages(*backing.pages, backing.offset, backing.size);
  }
  if (!found)
    if (const auto pages = physical_pages(pointer)) return export_pages(*pages, 0, pages->size());
  if (!found || found.base != pointer)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} is no start of a live allocation", pointer);
  if (found.origin != Origin::Own)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} came from elsewhere: export it there", pointer);
  return driver_.heap().export_block(found.base, IpcKind::Memory);
}

ze_result_t CpuContext::mem_get_ipc_handle(const void* pointer, ze_ipc_mem_handle_t* handle) {
  return mem_get_ipc_handle_with_properties(pointer, nullptr, handle);
}

ze_result_t CpuContext::mem_get_ipc_handle_with_properties(const void* pointer, void* next,
                                                           ze_ipc_mem_handle_t* handle) {
  check_chain_knows(
      next, {ZE_STRUCTURE_TYPE_IPC_MEM_HANDLE_TYPE_EXT_DESC, ZE_STRUCTURE_TYPE_IPC_PHYS_MEM_HANDLE_RANGE_EXT_DESC});
  if (fabric_wanted(next))
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, std::string("handles that cross a fabric: there is none"));
  auto* range = find_in_chain<ze_ipc_phys_mem_handle_range_ext_desc_t>(
      next, ZE_STRUCTURE_TYPE_IPC_PHYS_MEM_HANDLE_RANGE_EXT_DESC);
  export_memory(pointer, range ? range->size : 0).to(*handle);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::mem_put_ipc_handle(ze_ipc_mem_handle_t handle) {
  const IpcHandle own = IpcHandle::from(handle);
  if (own.kind == IpcKind::Memory && own.is_sealed() && ExportedFile::put(own)) return ZE_RESULT_SUCCESS;
  throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT,
              std::string("the handle is none of this process, or was put back before"));
}

ze_result_t CpuContext::mem_open_ipc_handle(ze_device_handle_t device, ze_ipc_mem_handle_t handle,
                                            ze_ipc_memory_flags_t, void** pointer) {
  const IpcHandle own = IpcHandle::from(handle);
  SharedBlock block;
  const Descriptor file = fetch_file(own, IpcKind::Memory, block);
  const auto kind = block.kind == static_cast<std::uint64_t>(MemoryKind::Host) ? MemoryKind::Host : MemoryKind::Device;
  *pointer = open_part(driver_.heap(), file.number(), own.offset, own.size, kind,
                       {this, kind == MemoryKind::Host ? nullptr : device}, Origin::Opened);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::mem_close_ipc_handle(const void* pointer) {
  const Heap::Mapping mapping = driver_.heap().forget(const_cast<void*>(pointer), Origin::Opened);
  if (!mapping.base) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} was not opened from a handle", pointer);
  Watch::forget(mapping.base, mapping.bytes);
  unmap_pages(mapping.base, mapping.bytes);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::mem_get_ipc_handle_from_file_descriptor_exp(uint64_t descriptor, ze_ipc_mem_handle_t* handle) {
  if (descriptor > INT_MAX) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} is no descriptor", descriptor);
  handle_of_bare_descriptor(static_cast<int>(descriptor)).to(*handle);
  return ZE_RESULT_SUCCESS;
}

// Of this process's own allocation the descriptor that the program has got of it, or else the allocation's, which stays
// the allocation's; one that had to be fetched belongs to the caller.
ze_result_t CpuContext::mem_get_file_descriptor_from_ipc_handle_exp(ze_ipc_mem_handle_t handle, uint64_t* descriptor) {
  const IpcHandle own = IpcHandle::from(handle);
  SharedBlock block;
  Descriptor file = fetch_file(own, IpcKind::Memory, block);
  *descriptor = static_cast<std::uint64_t>(own.process == getpid() ? ExportedFile::descriptor_of(own) : file.release());
  return ZE_RESULT_SUCCESS;
}

void* CpuContext::import_memory(const void* chain, size_t size, MemoryKind kind, ze_device_handle_t device) {
  const auto source = import_source(chain);
  if (!source) return nullptr;
  if (size == 0 || size > source->size)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "{} bytes of descriptor {}, which has {}", size, source->file,
                source->size);
  try {
    return open_part(driver_.heap(), source->file, source->offset, size, kind, {this, device}, Origin::Imported);
  } catch (const std::bad_alloc&) {
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "descriptor {} cannot be mapped", source->file);
  }
}

// The program owns the descriptor.
int CpuContext::export_descriptor(const Allocation& block, ze_external_memory_type_flags_t flags) {
  const IpcHandle handle = export_memory(block.base, 0);
  const int given = give_descriptor(handle.file, flags);
  ExportedFile::note_descriptor(handle, given);
  return given;
}

int CpuContext::export_descriptor(PhysicalPages& pages, ze_external_memory_type_flags_t flags) {
  return give_descriptor(export_pages(pages, 0, pages.size()).file, flags);
}

} // namespace zeroth::cpu
