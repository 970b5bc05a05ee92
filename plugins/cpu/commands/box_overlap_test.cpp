// Overlap of boxes against marking every byte, for all small boxes, pitches and distances.
#include "box_overlap.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace zeroth::cpu {
namespace {

bool overlaps_by_marking(const BoxCopy& box, const std::vector<std::byte>& memory) {
  std::vector<char> read(memory.size());
  auto each = [&](const std::byte* base, std::size_t pitch, std::size_t slice, auto use) {
    for (std::size_t z = 0; z < box.slices; ++z)
      for (std::size_t y = 0; y < box.rows; ++y)
        for (std::size_t x = 0; x < box.row_bytes; ++x)
          use(static_cast<std::size_t>(base - memory.data()) + z * slice + y * pitch + x);
  };
  bool found = false;
  each(box.from, box.from_pitch, box.from_slice, [&](std::size_t at) { read[at] = 1; });
  each(box.to, box.to_pitch, box.to_slice, [&](std::size_t at) { found |= read[at] != 0; });
  return found;
}

// Rows that overlap each other and slices that stand between each other's rows are there too.
TEST(BoxOverlap, IsExactForEverySmallBox) {
  std::vector<std::byte> memory(400);
  BoxCopy box;
  box.from = memory.data() + 100;
  std::size_t overlapping = 0, apart = 0;
  for (std::size_t pitches = 0; pitches < 3 * 3 * 4 * 4; ++pitches) {
    box.to_pitch = 2 + pitches % 3, box.from_pitch = 2 + pitches / 3 % 3;
    box.to_slice = 1 + 4 * (pitches / 9 % 4), box.from_slice = 1 + 4 * (pitches / 36);
    for (std::size_t shape = 0; shape < 3 * 3 * 3; ++shape) {
      box.row_bytes = 1 + shape % 3, box.rows = 1 + shape / 3 % 3, box.slices = 1 + shape / 9;
      for (int distance = -50; distance <= 50; ++distance) {
        box.to = memory.data() + 100 + distance;
        const bool expected = overlaps_by_marking(box, memory);
        ++(expected ? overlapping : apart);
        ASSERT_EQ(overlaps(box), expected) << "from +" << distance << ", rows of " << box.row_bytes << " x " << box.rows
                                           << " x " << box.slices << ", pitches " << box.to_pitch << ' ' << box.to_slice
                                           << " from " << box.from_pitch << ' ' << box.from_slice;
      }
    }
  }
  EXPECT_GT(overlapping, 10000u);
  EXPECT_GT(apart, 10000u);
}

TEST(BoxOverlap, KnowsHugeBoxesWithoutLookingAtEachRow) {
  constexpr std::size_t Pitch = ~std::uint32_t{0}, Rows = std::size_t{1} << 31;
  BoxCopy box{};
  box.row_bytes = 100, box.rows = Rows, box.slices = Rows;
  box.to_pitch = box.from_pitch = Pitch;
  box.to_slice = box.from_slice = Pitch * Rows;
  std::byte* const base = reinterpret_cast<std::byte*>(std::uintptr_t{1} << 40);
  box.to = base, box.from = base + 100;
  EXPECT_FALSE(overlaps(box)) << "side by side";
  box.from = base + 99;
  EXPECT_TRUE(overlaps(box));
  box.from = base + Pitch * 1000 - 99;
  EXPECT_TRUE(overlaps(box)) << "a thousand rows on";
  box.from = base + Pitch * 1000 - 100;
  EXPECT_FALSE(overlaps(box));
}

TEST(BoxOverlap, IsNotThereWhereNothingIsCopied) {
  std::byte memory[4];
  BoxCopy box{memory, memory, 0, 1, 1, 4, 4, 4, 4};
  EXPECT_FALSE(overlaps(box));
}

} // namespace
} // namespace zeroth::cpu
