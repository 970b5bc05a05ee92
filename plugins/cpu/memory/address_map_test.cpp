#include "heap.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace zeroth::cpu {
namespace {

const void* pointer(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

// Ranges of all sizes at random places, some over spans of whole tables, against a plain list of them.
TEST(AddressMap, FindsWhatAPlainListFinds) {
  AddressMap map;
  std::mt19937_64 random(7);
  std::map<std::uintptr_t, std::pair<std::uintptr_t, std::unique_ptr<Chunk>>> plain; // by start: end, chunk
  constexpr std::uintptr_t Low = std::uintptr_t{1} << 44, Space = std::uintptr_t{1} << 36;
  auto expect = [&](std::uintptr_t address) {
    auto it = plain.upper_bound(address);
    const Chunk* wanted = nullptr;
    if (it != plain.begin() && address < std::prev(it)->second.first) wanted = std::prev(it)->second.second.get();
    ASSERT_EQ(map.find(pointer(address)), wanted) << std::hex << address;
  };
  for (int round = 0; round < 4000; ++round) {
    const std::uintptr_t bytes = Granule << random() % 19;
    std::uintptr_t start = Low + random() % Space / Granule * Granule;
    if (random() % 2) start = start / bytes * bytes;
    const std::uintptr_t end = start + bytes + (random() % 3) * Granule;
    auto after = plain.lower_bound(start);
    const bool taken = (after != plain.end() && after->first < end) ||
                       (after != plain.begin() && std::prev(after)->second.first > start);
    if (taken) {
      auto it = after == plain.end() ? plain.begin() : after;
      map.set(pointer(it->first), it->second.first - it->first, nullptr);
      plain.erase(it);
    } else {
      auto& made = plain[start] = {end, std::make_unique<Chunk>()};
      map.set(pointer(start), end - start, made.second.get());
    }
    for (std::uintptr_t address : {start - 1, start, end - 1, end, Low + random() % Space}) expect(address);
  }
  EXPECT_GT(plain.size(), 50u);
  for (auto& [start, rest] : plain) expect(start + (rest.first - start) / 2);
}

TEST(AddressMap, ARangeOfAnySizeCostsAFewTables) {
  AddressMap map;
  const Chunk chunk;
  const std::uintptr_t start = (std::uintptr_t{1} << 45) - 7 * Granule, bytes = (std::uintptr_t{1} << 46) + 9 * Granule;
  map.set(pointer(start), bytes, &chunk);
  EXPECT_LE(map.tables(), 4u) << "one of each level at either end";
  for (std::uintptr_t address : {start, start + 7 * Granule, start + bytes / 2, start + bytes - 1})
    EXPECT_EQ(map.find(pointer(address)), &chunk);
  EXPECT_EQ(map.find(pointer(start - 1)), nullptr);
  EXPECT_EQ(map.find(pointer(start + bytes)), nullptr);
  map.set(pointer(start), bytes, nullptr);
  EXPECT_LE(map.tables(), 4u);
  for (std::uintptr_t address : {start, start + 7 * Granule, start + bytes / 2, start + bytes - 1})
    EXPECT_EQ(map.find(pointer(address)), nullptr);
}

} // namespace
} // namespace zeroth::cpu
