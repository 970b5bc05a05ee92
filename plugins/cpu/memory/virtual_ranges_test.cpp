#include "virtual_ranges.hpp"

#include "pages.hpp"

#include <cstring>
#include <gtest/gtest.h>

namespace zeroth::cpu {
namespace {

constexpr std::size_t Size = 4 * Granule;

TEST(VirtualRanges, MappedPagesAreSharedByAllTheirMappings) {
  VirtualRanges ranges;
  const auto pages = std::make_shared<PhysicalPages>(Size);
  auto* first = static_cast<char*>(ranges.reserve(nullptr, 2 * Size));
  ASSERT_TRUE(ranges.map(first, Size, pages, 0, PageAccess::ReadWrite));
  ASSERT_TRUE(ranges.map(first + Size, Granule, pages, Granule, PageAccess::ReadWrite));
  std::strcpy(first + Granule, "seen twice");
  EXPECT_STREQ(first + Size, "seen twice");
  EXPECT_FALSE(ranges.map(first, Granule, pages, 0, PageAccess::ReadWrite)) << "taken";
  EXPECT_TRUE(ranges.unmap(first, Size));
  EXPECT_TRUE(ranges.unmap(first, Size)) << "nothing is left there";
  ASSERT_TRUE(ranges.map(first, Size, pages, 0, PageAccess::ReadOnly));
  EXPECT_STREQ(first + Granule, "seen twice") << "the pages keep their content";
  EXPECT_TRUE(ranges.release(first, 2 * Size));
}

TEST(VirtualRanges, WrongRangesAreRefused) {
  VirtualRanges ranges;
  const auto pages = std::make_shared<PhysicalPages>(Size);
  auto* base = static_cast<char*>(ranges.reserve(nullptr, Size));
  EXPECT_FALSE(ranges.map(base + Granule, Size, pages, 0, PageAccess::ReadWrite)) << "beyond the reservation";
  EXPECT_FALSE(ranges.map(base, Size, pages, Granule, PageAccess::ReadWrite)) << "beyond the pages";
  EXPECT_TRUE(ranges.unmap(base, Size)) << "nothing is there";
  EXPECT_FALSE(ranges.release(base, Granule));
  EXPECT_FALSE(ranges.release(base + Granule, Size));
  EXPECT_TRUE(ranges.release(base, Size));
  EXPECT_FALSE(ranges.release(base, Size));
}

TEST(VirtualRanges, APartOfAMappingGoesAndTheRestStays) {
  VirtualRanges ranges;
  const auto pages = std::make_shared<PhysicalPages>(Size);
  auto* base = static_cast<char*>(ranges.reserve(nullptr, Size));
  ASSERT_TRUE(ranges.map(base, Size, pages, 0, PageAccess::ReadWrite));
  base[0] = 'a', base[Granule] = 'b', base[Size - 1] = 'z';
  EXPECT_FALSE(ranges.unmap(base, Size + Granule)) << "beyond the reservation";
  EXPECT_TRUE(ranges.unmap(base + Granule, Granule));
  EXPECT_FALSE(ranges.backing(base + Granule, Granule).pages);
  PageAccess access;
  std::size_t reach = 0;
  ASSERT_TRUE(ranges.get_access(base, Size, access, reach));
  EXPECT_EQ(access, PageAccess::ReadWrite);
  EXPECT_EQ(reach, Granule);
  EXPECT_EQ(base[0], 'a');
  EXPECT_EQ(base[Size - 1], 'z');
  ASSERT_TRUE(ranges.map(base + Granule, Granule, pages, Granule, PageAccess::ReadOnly)) << "it is free again";
  EXPECT_EQ(base[Granule], 'b');
  EXPECT_TRUE(ranges.unmap(base, Size)) << "of three mappings";
  EXPECT_TRUE(ranges.map(base, Size, pages, 0, PageAccess::ReadWrite));
  EXPECT_TRUE(ranges.release(base, Size));
}

TEST(VirtualRanges, AccessChangesForAPartAndIsReported) {
  VirtualRanges ranges;
  const auto pages = std::make_shared<PhysicalPages>(Size);
  auto* base = static_cast<char*>(ranges.reserve(nullptr, Size));
  ASSERT_TRUE(ranges.map(base, Size, pages, 0, PageAccess::ReadWrite));
  ASSERT_TRUE(ranges.set_access(base + Granule, Granule, PageAccess::ReadOnly));
  PageAccess access;
  std::size_t reach = 0;
  ASSERT_TRUE(ranges.get_access(base, Size, access, reach));
  EXPECT_EQ(access, PageAccess::ReadWrite);
  EXPECT_EQ(reach, Granule);
  ASSERT_TRUE(ranges.get_access(base + Granule, Size, access, reach));
  EXPECT_EQ(access, PageAccess::ReadOnly);
  EXPECT_EQ(reach, Granule);
  ASSERT_TRUE(ranges.set_access(base, Size, PageAccess::ReadWrite));
  ASSERT_TRUE(ranges.get_access(base, Size, access, reach));
  EXPECT_EQ(reach, Size);
  EXPECT_TRUE(ranges.unmap(base, Size)) << "a mapping in parts goes as a whole";
  ASSERT_TRUE(ranges.get_access(base, Size, access, reach)) << "reserved only";
  EXPECT_EQ(access, PageAccess::None);
  EXPECT_EQ(reach, Size);
  EXPECT_TRUE(ranges.release(base, Size));
  EXPECT_FALSE(ranges.get_access(base, Size, access, reach));
}

} // namespace
} // namespace zeroth::cpu
