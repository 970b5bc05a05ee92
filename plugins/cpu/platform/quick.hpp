// What the device says of itself at enumeration, read from a few small files: cheap enough for the first zeInit.
// Threads: any. Everything is read once per call; callers keep the result.
#pragma once
#include <array>
#include <cstdint>
#include <string>

namespace zeroth::cpu {

struct QuickFacts {
  std::string name;            // as the processor calls itself
  std::uint32_t vendor_id = 0; // PCI id of the maker, 0 if unknown
  std::uint32_t device_id = 0; // family, model and stepping
  std::uint32_t clock_mhz = 0; // highest, 0 if unknown
  std::uint32_t cores = 1;     // usable by this process
  std::uint32_t threads_per_core = 1;
  std::uint32_t packages = 1;
  std::uint32_t simd_bits = 128;
  std::uint64_t memory_bytes = 0;
};

QuickFacts read_quick_facts();

// Free memory at this moment.
std::uint64_t available_memory();

// The same for the same machine and device, over runs and programs.
std::array<std::uint8_t, 16> stable_uuid(const QuickFacts& facts, std::uint32_t device, std::uint32_t sub_device);

} // namespace zeroth::cpu
