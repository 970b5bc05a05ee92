// Memory of every kind, and what the API tells about pointers.
#include "fixture.hpp"
#include "offers.hpp"

#include <cstring>
#include <set>
#include <sys/mman.h>

namespace device_tests {
namespace {

const ze_device_mem_alloc_desc_t on_device{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
const ze_host_mem_alloc_desc_t on_host{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};

ze_result_t allocate(ze_memory_type_t type, std::size_t size, std::size_t alignment, void** pointer) {
  const Device& d = Device::get();
  if (type == ZE_MEMORY_TYPE_HOST) return zeMemAllocHost(d.context, &on_host, size, alignment, pointer);
  if (type == ZE_MEMORY_TYPE_DEVICE) return zeMemAllocDevice(d.context, &on_device, size, alignment, d.device, pointer);
  return zeMemAllocShared(d.context, &on_device, &on_host, size, alignment, d.device, pointer);
}

constexpr ze_memory_type_t Types[] = {ZE_MEMORY_TYPE_HOST, ZE_MEMORY_TYPE_DEVICE, ZE_MEMORY_TYPE_SHARED};

TEST(Memory, EveryKindSizeAndAlignment) {
  std::set<void*> live;
  for (auto type : Types)
    for (std::size_t size : {1u, 100u, 4096u, 100000u, 5000000u})
      for (std::size_t alignment : {0u, 1u, 64u, 4096u, 65536u}) {
        void* pointer = nullptr;
        ASSERT_OK(allocate(type, size, alignment, &pointer));
        if (alignment) {
          EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pointer) % alignment, 0u);
        }
        EXPECT_TRUE(live.insert(pointer).second);
      }
  for (void* pointer : live) EXPECT_OK(zeMemFree(Device::get().context, pointer));
}

TEST(Memory, ImpossibleRequestsAreRefused) {
  void* pointer = nullptr;
  for (auto type : Types) {
    EXPECT_EQ(allocate(type, 0, 64, &pointer), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    EXPECT_EQ(allocate(type, 64, std::size_t{1} << 60, &pointer), ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    EXPECT_NE(allocate(type, std::size_t{1} << 60, 64, &pointer), ZE_RESULT_SUCCESS);
  }
}

// zeMemAlloc*: "Must be zero or a power-of-two".
TEST(Memory, AlignmentsThatAreNoPowerOfTwoAreRefused) {
  for (auto type : Types)
    for (std::size_t alignment : {3u, 12u, 48u, 65535u, 65537u}) {
      void* pointer = nullptr;
      EXPECT_EQ(allocate(type, 64, alignment, &pointer), ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT) << alignment;
      EXPECT_EQ(pointer, nullptr);
    }
}

TEST(Memory, PropertiesAndRangeOfEveryPartOfABlock) {
  for (auto type : Types) {
    void* block = nullptr;
    ASSERT_OK(allocate(type, 70000, 64, &block));
    for (std::size_t offset : {0u, 1u, 69999u}) {
      ze_memory_allocation_properties_t properties{};
      properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
      ze_device_handle_t device = nullptr;
      auto* inside = static_cast<char*>(block) + offset;
      ASSERT_OK(zeMemGetAllocProperties(Device::get().context, inside, &properties, &device));
      EXPECT_EQ(properties.type, type);
      EXPECT_GT(properties.pageSize, 0u);
      if (type != ZE_MEMORY_TYPE_HOST) {
        EXPECT_EQ(device, Device::get().device);
      }
      void* base = nullptr;
      std::size_t size = 0;
      ASSERT_OK(zeMemGetAddressRange(Device::get().context, inside, &base, &size));
      EXPECT_EQ(base, block);
      EXPECT_GE(size, 70000u);
    }
    EXPECT_OK(zeMemFree(Device::get().context, block));
  }
}

TEST(Memory, ForeignPointersAreUnknownAndNoError) {
  int local = 0;
  ze_memory_allocation_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  ASSERT_OK(zeMemGetAllocProperties(Device::get().context, &local, &properties, nullptr));
  EXPECT_EQ(properties.type, ZE_MEMORY_TYPE_UNKNOWN);
}

TEST(Memory, CopiesAndFillsBetweenAllKinds) {
  constexpr std::size_t Size = 300000;
  for (auto from_type : Types)
    for (auto to_type : Types) {
      void *from = nullptr, *to = nullptr;
      ASSERT_OK(allocate(from_type, Size, 64, &from));
      ASSERT_OK(allocate(to_type, Size, 64, &to));
      const std::uint32_t pattern = 0xa1b2c3d4;
      std::vector<std::uint32_t> back(Size / 4);
      auto list = shared_list();
      ASSERT_OK(zeCommandListAppendMemoryFill(list, from, &pattern, sizeof pattern, Size, nullptr, 0, nullptr));
      ASSERT_OK(zeCommandListAppendMemoryCopy(list, to, from, Size, nullptr, 0, nullptr));
      ASSERT_OK(zeCommandListAppendMemoryCopy(list, back.data(), to, Size, nullptr, 0, nullptr));
      ASSERT_OK(zeCommandListHostSynchronize(list, UINT64_MAX));
      for (std::uint32_t word : back) ASSERT_EQ(word, pattern);
      EXPECT_OK(zeMemFree(Device::get().context, from));
      EXPECT_OK(zeMemFree(Device::get().context, to));
    }
}

// zeCommandListAppendMemoryCopyRegion lists OVERLAPPING_REGIONS; boxes between each other's rows do not overlap.
TEST(Memory, RegionsThatOverlapAreNotCopied) {
  constexpr std::uint32_t Pitch = 64, Rows = 32;
  Array<std::uint8_t> memory(Pitch * 64);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::uint8_t>(i * 7);
  auto copy = [&](std::uint32_t to_x, std::uint32_t to_y, std::uint32_t from_x, std::uint32_t from_y,
                  std::uint32_t width) {
    const ze_copy_region_t to{to_x, to_y, 0, width, Rows, 1}, from{from_x, from_y, 0, width, Rows, 1};
    return zeCommandListAppendMemoryCopyRegion(shared_list(), memory.data(), &to, Pitch, 0, memory.data(), &from, Pitch,
                                               0, nullptr, 0, nullptr);
  };
  EXPECT_EQ(copy(0, 4, 0, 0, Pitch), ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
  EXPECT_EQ(copy(0, 0, 0, 0, Pitch), ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
  EXPECT_EQ(copy(31, 20, 0, 0, 32), ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
  EXPECT_OK(copy(32, 0, 0, 0, 32)) << "the right half from the left half";
  EXPECT_OK(copy(0, 32, 0, 0, Pitch));
  ASSERT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
  for (std::size_t y = 0; y < 2 * Rows; ++y)
    for (std::size_t x = 0; x < Pitch; ++x)
      ASSERT_EQ(memory[y * Pitch + x], static_cast<std::uint8_t>((y % Rows * Pitch + x % 32) * 7)) << x << ' ' << y;
}

// Nothing forbids a plain copy onto itself, however large: it is as if all were read first.
TEST(Memory, RangesThatOverlapAreCopiedAsAWhole) {
  constexpr std::size_t Size = 8 << 20, Shift = 4000;
  for (bool up : {true, false}) {
    Array<std::uint32_t> memory((Size + Shift) / 4);
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::uint32_t>(i);
    auto* low = reinterpret_cast<std::byte*>(memory.data());
    ASSERT_OK(zeCommandListAppendMemoryCopy(shared_list(), up ? low + Shift : low, up ? low : low + Shift, Size,
                                            nullptr, 0, nullptr));
    ASSERT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < Size / 4; ++i) wrong += memory[up ? i + Shift / 4 : i] != (up ? i : i + Shift / 4);
    EXPECT_EQ(wrong, 0u);
  }
}

// Copies and fills with parameters, and host functions: UNSUPPORTED_FEATURE for what means nothing to the device.
TEST(Memory, UnknownParametersOfCopiesAreRefused) {
  const ze_base_desc_t unknown{static_cast<ze_structure_type_t>(0x7ffffff0), nullptr};
  Array<std::uint32_t> memory(8);
  const std::uint32_t pattern = 5;
  auto list = shared_list();
  EXPECT_EQ(zeCommandListAppendMemoryCopyWithParameters(list, memory.data(), memory.data() + 4, 16, &unknown, nullptr,
                                                        0, nullptr),
            ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  EXPECT_EQ(
      zeCommandListAppendMemoryFillWithParameters(list, memory.data(), &pattern, 4, 32, &unknown, nullptr, 0, nullptr),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  EXPECT_EQ(zeCommandListAppendHostFunction(
                list, [](void*) {}, nullptr, &unknown, nullptr, 0, nullptr),
            ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  ASSERT_OK(zeCommandListHostSynchronize(list, UINT64_MAX));
  EXPECT_EQ(memory[0], 0u);
  EXPECT_OK(
      zeCommandListAppendMemoryFillWithParameters(list, memory.data(), &pattern, 4, 32, nullptr, nullptr, 0, nullptr));
  ASSERT_OK(zeCommandListHostSynchronize(list, UINT64_MAX));
  EXPECT_EQ(memory[7], 5u);
}

TEST(Memory, LimitsAreRelaxedByEitherStructure) {
  NEEDS(ZE_RELAXED_ALLOCATION_LIMITS_EXT_NAME);
  const Device& d = Device::get();
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  ASSERT_OK(zeDeviceGetProperties(d.device, &properties));
  const ze_relaxed_allocation_limits_ext_desc_t ext{ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXT_DESC, nullptr,
                                                    ZE_RELAXED_ALLOCATION_LIMITS_EXT_FLAG_MAX_SIZE};
  const ze_relaxed_allocation_limits_exp_desc_t exp{ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC, nullptr,
                                                    ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE};
  for (const void* chain : {static_cast<const void*>(&ext), static_cast<const void*>(&exp)}) {
    ze_device_mem_alloc_desc_t desc = on_device;
    void* pointer = nullptr;
    const std::size_t size = properties.maxMemAllocSize + 65536;
    EXPECT_EQ(zeMemAllocDevice(d.context, &desc, size, 0, d.device, &pointer), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    desc.pNext = chain;
    ASSERT_OK(zeMemAllocDevice(d.context, &desc, size, 0, d.device, &pointer));
    EXPECT_OK(zeMemFree(d.context, pointer));
  }
}

// The address is preserved, and the memory stays the program's when the allocation goes.
TEST(Memory, OfTheProgramBecomesHostMemoryInItsPlace) {
  NEEDS(ZE_EXTERNAL_MEMORY_MAPPING_EXT_NAME);
  const Device& d = Device::get();
  constexpr std::size_t Size = 1 << 20;
  void* const mapped = mmap(nullptr, Size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  ze_external_memmap_sysmem_ext_desc_t external{ZE_STRUCTURE_TYPE_EXTERNAL_MEMMAP_SYSMEM_EXT_DESC, nullptr, mapped,
                                                Size};
  ze_host_mem_alloc_desc_t desc = on_host;
  desc.pNext = &external;
  void *pointer = nullptr, *second = nullptr;
  for (int round = 0; round < 2; ++round) {
    ASSERT_OK(zeMemAllocHost(d.context, &desc, Size, 0, &pointer));
    EXPECT_EQ(pointer, mapped);
    EXPECT_EQ(zeMemAllocHost(d.context, &desc, Size, 0, &second), ZE_RESULT_ERROR_INVALID_ARGUMENT) << "twice";
    ze_memory_allocation_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
    ASSERT_OK(zeMemGetAllocProperties(d.context, static_cast<char*>(mapped) + Size - 1, &properties, nullptr));
    EXPECT_EQ(properties.type, ZE_MEMORY_TYPE_HOST);
    void* base = nullptr;
    std::size_t size = 0;
    ASSERT_OK(zeMemGetAddressRange(d.context, static_cast<char*>(mapped) + 5000, &base, &size));
    EXPECT_EQ(base, mapped);
    EXPECT_EQ(size, Size);
    ze_ipc_mem_handle_t handle{};
    EXPECT_NE(zeMemGetIpcHandle(d.context, pointer, &handle), ZE_RESULT_SUCCESS) << "others cannot see it";
    const std::uint32_t pattern = 7 + static_cast<std::uint32_t>(round);
    ASSERT_OK(zeCommandListAppendMemoryFill(shared_list(), pointer, &pattern, 4, Size, nullptr, 0, nullptr));
    ASSERT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
    EXPECT_OK(zeMemFree(d.context, pointer));
    EXPECT_EQ(static_cast<std::uint32_t*>(mapped)[Size / 4 - 1], pattern);
    EXPECT_EQ(zeMemFree(d.context, pointer), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  }
  munmap(mapped, Size);
}

TEST(Memory, OfTheProgramIsRefusedWhereItIsNotThere) {
  NEEDS(ZE_EXTERNAL_MEMORY_MAPPING_EXT_NAME);
  const Device& d = Device::get();
  constexpr std::size_t Size = 1 << 16;
  auto* const mapped =
      static_cast<char*>(mmap(nullptr, 2 * Size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  munmap(mapped + Size, Size);
  auto take = [&](void* at, std::uint64_t bytes, std::size_t size, std::size_t alignment = 0,
                  ze_host_mem_alloc_flags_t flags = 0) {
    const ze_external_memmap_sysmem_ext_desc_t external{ZE_STRUCTURE_TYPE_EXTERNAL_MEMMAP_SYSMEM_EXT_DESC, nullptr, at,
                                                        bytes};
    const ze_host_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, &external, flags};
    void* pointer = nullptr;
    const ze_result_t code = zeMemAllocHost(d.context, &desc, size, alignment, &pointer);
    if (code == ZE_RESULT_SUCCESS) {
      EXPECT_OK(zeMemFree(d.context, pointer));
    }
    return code;
  };
  EXPECT_EQ(take(nullptr, Size, Size), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(take(mapped + 8, Size, Size), ZE_RESULT_ERROR_INVALID_ARGUMENT) << "no page begins there";
  EXPECT_EQ(take(mapped, Size - 8, 8), ZE_RESULT_ERROR_INVALID_ARGUMENT) << "no whole number of pages";
  EXPECT_EQ(take(mapped, 2 * Size, Size), ZE_RESULT_ERROR_INVALID_ARGUMENT) << "the second half is not mapped";
  EXPECT_EQ(take(mapped, Size, 2 * Size), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  EXPECT_EQ(take(mapped, Size, 0), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  const auto address = reinterpret_cast<std::uintptr_t>(mapped);
  EXPECT_EQ(take(mapped, Size, Size, (address & -address) * 2), ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
  mprotect(mapped, Size, PROT_READ);
  EXPECT_EQ(take(mapped, Size, Size), ZE_RESULT_ERROR_INVALID_ARGUMENT) << "read-only memory needs its flag";
  EXPECT_OK(take(mapped, Size, Size, 0, ZE_HOST_MEM_ALLOC_FLAG_MEM_READ_ONLY));
  mprotect(mapped, Size, PROT_READ | PROT_WRITE);
  EXPECT_OK(take(mapped, Size, Size));
  munmap(mapped, Size);
}

TEST(Memory, PagesAreOfSomething) {
  const Device& d = Device::get();
  std::size_t page = 0;
  EXPECT_EQ(zeVirtualMemQueryPageSize(d.context, d.device, 0, &page), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  EXPECT_OK(zeVirtualMemQueryPageSize(d.context, d.device, 1, &page));
  EXPECT_GT(page, 0u);
}

TEST(Memory, VirtualRangesShowTheirPhysicalPages) {
  const Device& d = Device::get();
  std::size_t page = 0;
  ASSERT_OK(zeVirtualMemQueryPageSize(d.context, d.device, 1 << 20, &page));
  const std::size_t size = (std::size_t{1} << 20) / page * page + (page > (1u << 20) ? page : 0);
  void* range = nullptr;
  ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, nullptr, 0, size};
  ze_physical_mem_handle_t pages = nullptr;
  ASSERT_OK(zeVirtualMemReserve(d.context, nullptr, 2 * size, &range));
  ASSERT_OK(zePhysicalMemCreate(d.context, d.device, &desc, &pages));
  auto* second = static_cast<char*>(range) + size;
  ASSERT_OK(zeVirtualMemMap(d.context, range, size, pages, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
  ASSERT_OK(zeVirtualMemMap(d.context, second, size, pages, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
  const std::uint8_t pattern = 0x5a;
  std::vector<std::uint8_t> back(size);
  ASSERT_OK(zeCommandListAppendMemoryFill(shared_list(), range, &pattern, 1, size, nullptr, 0, nullptr));
  ASSERT_OK(zeCommandListAppendMemoryCopy(shared_list(), back.data(), second, size, nullptr, 0, nullptr));
  ASSERT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
  EXPECT_EQ(back[0], pattern);
  EXPECT_EQ(back[size - 1], pattern);
  ze_memory_access_attribute_t access;
  std::size_t reach = 0;
  ASSERT_OK(zeVirtualMemSetAccessAttribute(d.context, second, size, ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY));
  ASSERT_OK(zeVirtualMemGetAccessAttribute(d.context, second, size, &access, &reach));
  EXPECT_EQ(access, ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY);
  EXPECT_EQ(reach, size);
  EXPECT_OK(zeVirtualMemUnmap(d.context, range, size));
  EXPECT_OK(zeVirtualMemUnmap(d.context, second, size));
  EXPECT_OK(zeVirtualMemFree(d.context, range, 2 * size));
  EXPECT_OK(zePhysicalMemDestroy(d.context, pages));
}

TEST(Memory, PhysicalMemoryOfTheHostBelongsToNoDevice) {
  const Device& d = Device::get();
  std::size_t size = 0;
  ASSERT_OK(zeVirtualMemQueryPageSize(d.context, d.device, 1 << 20, &size));
  ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, nullptr, ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_HOST,
                              size};
  ze_physical_mem_handle_t pages = nullptr;
  ASSERT_OK(zePhysicalMemCreate(d.context, nullptr, &desc, &pages));
  EXPECT_NE(pages, nullptr);
  EXPECT_OK(zePhysicalMemDestroy(d.context, pages));
}

// What was unmapped shows nothing and can be mapped again; what was freed can be reserved again at the same place.
TEST(Memory, VirtualRangesCanBeUsedAgain) {
  const Device& d = Device::get();
  std::size_t size = 0, reach = 0;
  ASSERT_OK(zeVirtualMemQueryPageSize(d.context, d.device, 1 << 20, &size));
  const ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, nullptr, 0, size};
  ze_physical_mem_handle_t pages[2] = {};
  void* range = nullptr;
  ASSERT_OK(zeVirtualMemReserve(d.context, nullptr, size, &range));
  for (auto& one : pages) {
    auto wanted = desc;
    ASSERT_OK(zePhysicalMemCreate(d.context, d.device, &wanted, &one));
    ASSERT_OK(zeVirtualMemMap(d.context, range, size, one, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
    EXPECT_EQ(static_cast<char*>(range)[size - 1], 0) << "other pages than before";
    static_cast<char*>(range)[size - 1] = 7;
    ASSERT_OK(zeVirtualMemUnmap(d.context, range, size));
    ze_memory_access_attribute_t access = ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE;
    ASSERT_OK(zeVirtualMemGetAccessAttribute(d.context, range, size, &access, &reach));
    EXPECT_EQ(access, ZE_MEMORY_ACCESS_ATTRIBUTE_NONE);
  }
  EXPECT_OK(zeVirtualMemUnmap(d.context, range, size)) << "nothing is mapped any more";
  void *const first = range, *again = nullptr;
  ASSERT_OK(zeVirtualMemFree(d.context, range, size));
  ASSERT_OK(zeVirtualMemReserve(d.context, first, size, &again));
  EXPECT_EQ(again, first);
  EXPECT_OK(zeVirtualMemFree(d.context, again, size));
  for (auto one : pages) EXPECT_OK(zePhysicalMemDestroy(d.context, one));
}

TEST(Properties, OfTheDeviceAreConsistent) {
  const auto device = Device::get().device;
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  ASSERT_OK(zeDeviceGetProperties(device, &properties));
  EXPECT_GT(std::strlen(properties.name), 0u);
  EXPECT_GT(properties.numSlices * properties.numSubslicesPerSlice * properties.numEUsPerSubslice, 0u);
  EXPECT_GT(properties.timerResolution, 0u);
  EXPECT_LT(properties.timestampValidBits, 64u);
  EXPECT_LT(properties.kernelTimestampValidBits, 64u);
  ze_device_properties_t again{};
  again.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  ASSERT_OK(zeDeviceGetProperties(device, &again));
  EXPECT_EQ(std::memcmp(properties.uuid.id, again.uuid.id, sizeof again.uuid.id), 0);
  EXPECT_NEAR(static_cast<double>(again.timerResolution) * static_cast<double>(properties.timerResolution), 1e9, 1e8);
  ze_device_compute_properties_t compute{};
  compute.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES;
  ASSERT_OK(zeDeviceGetComputeProperties(device, &compute));
  EXPECT_GE(compute.maxTotalGroupSize, 256u);
  EXPECT_GE(compute.maxSharedLocalMemory, 32u << 10);
  std::uint32_t count = 0;
  ASSERT_OK(zeDeviceGetCommandQueueGroupProperties(device, &count, nullptr));
  ASSERT_GT(count, 0u);
  std::vector<ze_command_queue_group_properties_t> groups(count);
  for (auto& group : groups) group.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
  ASSERT_OK(zeDeviceGetCommandQueueGroupProperties(device, &count, groups.data()));
  EXPECT_TRUE(groups[0].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE);
}

} // namespace
} // namespace device_tests
