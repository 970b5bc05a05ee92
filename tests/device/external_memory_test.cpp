// Memory that leaves and enters as a descriptor: as an allocation, an image, physical memory.
#include "fixture.hpp"
#include "offers.hpp"
#include "peer.hpp"

#include <cstring>
#include <fcntl.h>
#include <numeric>
#include <sys/mman.h>
#include <unistd.h>

namespace device_tests {
namespace {

TEST(ExternalMemory, DescriptorsThatAreNotOpenAreRefused) {
  NEEDS("memory as a descriptor");
  const Device& d = Device::get();
  for (int file : {-1, 1 << 20}) {
    const ze_external_memory_import_fd_t import{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, nullptr,
                                                ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, file};
    const ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, &import, 0, 0};
    void* pointer = nullptr;
    EXPECT_EQ(zeMemAllocDevice(d.context, &desc, 100000, 0, d.device, &pointer), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  }
}

constexpr auto DmaBuf = static_cast<ze_external_memory_type_flags_t>(ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF);
constexpr auto OpaqueFd = static_cast<ze_external_memory_type_flags_t>(ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD);

std::uint8_t* allocate(const void* chain, std::size_t size) {
  const ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, chain, 0, 0};
  void* memory = nullptr;
  EXPECT_OK(zeMemAllocDevice(Device::get().context, &desc, size, 0, Device::get().device, &memory));
  return static_cast<std::uint8_t*>(memory);
}

// An allocation and the descriptor that it was given.
class Exported {
public:
  explicit Exported(std::size_t size, ze_external_memory_type_flags_t flags = DmaBuf) : size_(size), flags_(flags) {
    const ze_external_memory_export_desc_t wanted{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC, nullptr, flags};
    memory_ = allocate(&wanted, size);
    ze_external_memory_export_fd_t out{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, nullptr, flags, -1};
    ze_memory_allocation_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
    properties.pNext = &out;
    EXPECT_OK(zeMemGetAllocProperties(Device::get().context, memory_, &properties, nullptr));
    EXPECT_GE(out.fd, 0);
    file_ = out.fd;
  }
  ~Exported() {
    close(file_);
    EXPECT_OK(zeMemFree(Device::get().context, memory_));
  }
  Exported(const Exported&) = delete;
  Exported& operator=(const Exported&) = delete;

  std::uint8_t* bytes() const { return memory_; }
  int file() const { return file_; }
  void fill(std::uint8_t first) const { std::iota(memory_, memory_ + size_, first); }
  ze_external_memory_import_fd_t import() const {
    return {ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, nullptr, flags_, file_};
  }

private:
  std::size_t size_;
  ze_external_memory_type_flags_t flags_;
  std::uint8_t* memory_ = nullptr;
  int file_ = -1;
};

// Physical memory mapped into a range of its own.
class Mapped {
public:
  explicit Mapped(std::size_t least, const void* chain = nullptr) {
    const Device& d = Device::get();
    EXPECT_OK(zeVirtualMemQueryPageSize(d.context, d.device, least, &size_));
    ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, chain, 0, size_};
    EXPECT_OK(zePhysicalMemCreate(d.context, d.device, &desc, &pages_));
  }
  ~Mapped() {
    const Device& d = Device::get();
    if (range_) {
      EXPECT_OK(zeVirtualMemUnmap(d.context, range_, size_));
      EXPECT_OK(zeVirtualMemFree(d.context, range_, size_));
    }
    EXPECT_OK(zePhysicalMemDestroy(d.context, pages_));
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  std::size_t size() const { return size_; }
  ze_physical_mem_handle_t handle() const { return pages_; }
  std::uint8_t* bytes() {
    const Device& d = Device::get();
    if (range_) return static_cast<std::uint8_t*>(range_);
    EXPECT_OK(zeVirtualMemReserve(d.context, nullptr, size_, &range_));
    EXPECT_OK(zeVirtualMemMap(d.context, range_, size_, pages_, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
    return static_cast<std::uint8_t*>(range_);
  }

private:
  std::size_t size_ = 0;
  ze_physical_mem_handle_t pages_ = nullptr;
  void* range_ = nullptr;
};

TEST(ExternalMemory, GoesOutAndComesInAsADescriptor) {
  const Device& d = Device::get();
  EXPECT_OK(zeCommandListAppendBarrier(shared_list(), nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
  { const Exported first(100000); } // what is opened once, is open now
  for (auto flags : {OpaqueFd, DmaBuf}) {
    const std::size_t before = open_descriptors();
    {
      const Exported memory(100000, flags);
      const auto in = memory.import();
      std::uint8_t* same = allocate(&in, 100000);
      const ze_device_mem_alloc_desc_t imported{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, &in, 0, 0};
      void* none = nullptr;
      EXPECT_EQ(zeMemAllocDevice(d.context, &imported, std::size_t{1} << 40, 0, d.device, &none),
                ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
      const std::uint8_t pattern = 0x3c;
      EXPECT_OK(zeCommandListAppendMemoryFill(shared_list(), memory.bytes(), &pattern, 1, 100000, nullptr, 0, nullptr));
      EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
      EXPECT_EQ(same[99999], pattern);
      EXPECT_OK(zeMemFree(d.context, same));
    }
    EXPECT_EQ(open_descriptors(), before);
  }
}

// Small allocations too: each descriptor shows its own from its first byte, to us and to anybody who maps it.
TEST(ExternalMemory, EachDescriptorIsOfOneAllocation) {
  constexpr std::size_t Size = 1024;
  const Exported one(Size), two(Size);
  one.fill(1);
  two.fill(77);
  for (const Exported* memory : {&one, &two}) {
    void* mapped = mmap(nullptr, Size, PROT_READ, MAP_SHARED, memory->file(), 0);
    ASSERT_NE(mapped, MAP_FAILED);
    EXPECT_EQ(std::memcmp(mapped, memory->bytes(), Size), 0);
    munmap(mapped, Size);
    const auto in = memory->import();
    std::uint8_t* same = allocate(&in, Size);
    EXPECT_EQ(std::memcmp(same, memory->bytes(), Size), 0);
    EXPECT_OK(zeMemFree(Device::get().context, same));
  }
}

// zeMemGetFileDescriptorFromIpcHandleExp: the number that the program knows already, as long as it has it.
TEST(ExternalMemory, HasOneDescriptorForTheProgram) {
  const Device& d = Device::get();
  const Exported one(1024), two(1024);
  ze_ipc_mem_handle_t handle;
  std::uint64_t descriptor = 0;
  ASSERT_OK(zeMemGetIpcHandle(d.context, one.bytes(), &handle));
  ASSERT_OK(zeMemGetFileDescriptorFromIpcHandleExp(d.context, handle, &descriptor));
  EXPECT_EQ(descriptor, static_cast<std::uint64_t>(one.file()));
  const int kept = dup(one.file());
  ASSERT_EQ(dup2(two.file(), one.file()), one.file()); // closed, and another file's since
  ASSERT_OK(zeMemGetFileDescriptorFromIpcHandleExp(d.context, handle, &descriptor));
  EXPECT_NE(descriptor, static_cast<std::uint64_t>(one.file()));
  ze_ipc_mem_handle_t again;
  void* same = nullptr;
  ASSERT_OK(zeMemGetIpcHandleFromFileDescriptorExp(d.context, descriptor, &again));
  ASSERT_OK(zeMemOpenIpcHandle(d.context, d.device, again, 0, &same));
  one.fill(40);
  EXPECT_EQ(static_cast<std::uint8_t*>(same)[2], 42);
  EXPECT_OK(zeMemCloseIpcHandle(d.context, same));
  close(kept);
}

TEST(ExternalMemory, BecomesPhysicalMemory) {
  const Exported memory(1024);
  memory.fill(9);
  const auto in = memory.import();
  Mapped pages(1024, &in);
  EXPECT_EQ(std::memcmp(pages.bytes(), memory.bytes(), 1024), 0);
  pages.bytes()[1000] = 0xee;
  EXPECT_EQ(memory.bytes()[1000], 0xee);
  ze_physical_mem_handle_t none = nullptr;
  ze_physical_mem_desc_t beyond{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, &in, 0, std::size_t{1} << 30};
  EXPECT_EQ(zePhysicalMemCreate(Device::get().context, Device::get().device, &beyond, &none),
            ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
}

TEST(ExternalMemory, WhatCannotBeMappedIsRefused) {
  const Device& d = Device::get();
  const std::string path = "/proc/self/fd/";
  const Exported memory(1 << 16);
  const int folder = open("/", O_RDONLY), to_read = open((path + std::to_string(memory.file())).c_str(), O_RDONLY);
  for (int file : {-1, folder, to_read}) {
    const ze_external_memory_import_fd_t in{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, nullptr, OpaqueFd, file};
    const ze_device_mem_alloc_desc_t device{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, &in, 0, 0};
    ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, &in, 0, 1 << 16};
    void* pointer = nullptr;
    ze_physical_mem_handle_t pages = nullptr;
    EXPECT_NE(zeMemAllocDevice(d.context, &device, 1 << 16, 0, d.device, &pointer), ZE_RESULT_SUCCESS) << file;
    EXPECT_NE(zePhysicalMemCreate(d.context, d.device, &desc, &pages), ZE_RESULT_SUCCESS) << file;
  }
  close(folder);
  close(to_read);
}

TEST(ExternalMemory, OfPhysicalMemory) {
  Mapped pages(1 << 16);
  std::iota(pages.bytes(), pages.bytes() + pages.size(), std::uint8_t{5});
  ze_external_memory_export_fd_t out{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, nullptr, OpaqueFd, -1};
  ze_physical_mem_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES;
  properties.pNext = &out;
  ASSERT_OK(zePhysicalMemGetProperties(Device::get().context, pages.handle(), &properties));
  ASSERT_GE(out.fd, 0);
  const ze_external_memory_import_fd_t in{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, nullptr, OpaqueFd, out.fd};
  std::uint8_t* same = allocate(&in, pages.size());
  EXPECT_EQ(std::memcmp(same, pages.bytes(), pages.size()), 0);
  EXPECT_OK(zeMemFree(Device::get().context, same));
  close(out.fd);
}

// The handle stands for all of the memory, mapped or not.
TEST(ExternalMemory, PhysicalMemoryIsSharedByItsHandle) {
  const Device& d = Device::get();
  Mapped pages(1 << 16);
  ze_ipc_mem_handle_t handle;
  ASSERT_OK(zeMemGetIpcHandleWithProperties(d.context, pages.handle(), nullptr, &handle));
  void* opened = nullptr;
  ASSERT_OK(zeMemOpenIpcHandle(d.context, d.device, handle, 0, &opened));
  std::iota(static_cast<std::uint8_t*>(opened), static_cast<std::uint8_t*>(opened) + pages.size(), std::uint8_t{0});
  EXPECT_EQ(std::memcmp(pages.bytes(), opened, pages.size()), 0);
  pages.bytes()[3] = 99;
  EXPECT_EQ(static_cast<std::uint8_t*>(opened)[3], 99);
  EXPECT_OK(zeMemCloseIpcHandle(d.context, opened));
  EXPECT_OK(zeMemPutIpcHandle(d.context, handle));
  EXPECT_EQ(zeMemOpenIpcHandle(d.context, d.device, handle, 0, &opened), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

// Also where the memory has no room for gaps between its rows.
TEST(ExternalMemory, BecomesAnImage) {
  const Device& d = Device::get();
  ze_image_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC;
  desc.format.layout = ZE_IMAGE_FORMAT_LAYOUT_8;
  desc.format.type = ZE_IMAGE_FORMAT_TYPE_UINT;
  const Exported memory(1024), neighbour(1024);
  memory.fill(3);
  const auto in = memory.import();
  desc.pNext = &in;
  const struct {
    ze_image_type_t type;
    std::uint32_t width, height, depth;
  } shapes[] = {{ZE_IMAGE_TYPE_1D, 1024, 0, 0},
                {ZE_IMAGE_TYPE_2D, 128, 8, 0},
                {ZE_IMAGE_TYPE_3D, 32, 8, 4},
                {ZE_IMAGE_TYPE_BUFFER, 1024, 0, 0}};
  for (const auto& shape : shapes) {
    desc.type = shape.type;
    desc.width = shape.width;
    desc.height = shape.height;
    desc.depth = shape.depth;
    ze_image_handle_t image = nullptr;
    ASSERT_OK(zeImageCreate(d.context, d.device, &desc, &image));
    Array<std::uint8_t> read(1024);
    EXPECT_OK(zeCommandListAppendImageCopyToMemory(shared_list(), read.data(), image, nullptr, nullptr, 0, nullptr));
    EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
    EXPECT_EQ(std::memcmp(read.data(), memory.bytes(), 1024), 0) << shape.width;
    EXPECT_OK(zeImageDestroy(image));
  }
  desc.type = ZE_IMAGE_TYPE_2D;
  desc.width = desc.height = 64;
  ze_image_handle_t none = nullptr;
  EXPECT_EQ(zeImageCreate(d.context, d.device, &desc, &none), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
}

} // namespace
} // namespace device_tests
