// The memory that a launch would be given: what pointer arguments point into, and the variables of the module.
#include "context.hpp"
#include "kernel.hpp"
#include "listing.hpp"

#include <cstring>

namespace zeroth::cpu {

namespace {

constexpr std::uint32_t NoArgument = ~std::uint32_t{0};

struct Found {
  std::uint64_t base;
  std::size_t size;
  ze_memory_type_t type;
  std::uint32_t argument;
};

ze_memory_type_t type_of(MemoryKind kind) {
  return kind == MemoryKind::Host     ? ZE_MEMORY_TYPE_HOST
         : kind == MemoryKind::Shared ? ZE_MEMORY_TYPE_SHARED
                                      : ZE_MEMORY_TYPE_DEVICE;
}

} // namespace

ze_result_t CpuKernel::get_allocation_properties_exp(uint32_t* count,
                                                     ze_kernel_allocation_exp_properties_t* properties) {
  std::vector<Found> all;
  const Heap& heap = module_.context().driver().heap();
  for (std::uint32_t i = 0; i < info_.arguments.size(); ++i) {
    const compiler::ArgumentInfo& argument = info_.arguments[i];
    if (argument.kind != compiler::ArgumentKind::Pointer) continue;
    const void* pointer = nullptr;
    std::memcpy(&pointer, arguments_.data() + argument.offset, sizeof pointer);
    // Memory that the program got elsewhere has no size that could be told.
    if (const Allocation found = heap.find(pointer))
      all.push_back({reinterpret_cast<std::uintptr_t>(found.base), found.size, type_of(found.kind), i});
  }
  for (const compiler::SymbolInfo& symbol : module_.exports())
    if (symbol.kind == compiler::SymbolKind::Variable)
      all.push_back({reinterpret_cast<std::uintptr_t>(symbol.address), symbol.size, ZE_MEMORY_TYPE_DEVICE, NoArgument});
  hand_out(static_cast<std::uint32_t>(all.size()), count, properties, [&](auto& item, std::uint32_t i) {
    item.base = all[i].base;
    item.size = all[i].size;
    item.type = all[i].type;
    item.argIndex = all[i].argument;
  });
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::cpu
