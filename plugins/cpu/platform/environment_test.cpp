#include "environment.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

namespace zeroth::cpu {
namespace {

using Lines = std::vector<std::string>;

Lines told(const std::map<std::string, std::string>& variables) {
  return words_not_taken([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Environment, WhatIsTakenIsNotTold) {
  EXPECT_EQ(told({}), Lines());
  EXPECT_EQ(
      told({{"ZEROTH_CPU", "avx2"}, {"ZEROTH_CACHE", "0"}, {"ZEROTH_CACHE_DIR", "/x"}, {"ZE_AFFINITY_MASK", "0,1.0"}}),
      Lines());
}

TEST(Environment, WhatIsNotTakenIsToldWithWhatIs) {
  EXPECT_EQ(told({{"ZEROTH_CPU", "avx3"}}),
            Lines{"ZEROTH_CPU: `avx3` is none of sse, avx2, avx512; as if it were not set"});
  EXPECT_EQ(told({{"ZEROTH_CACHE", "off"}}), Lines{"ZEROTH_CACHE: `off` is none of 0, 1; as if it were not set"});
  EXPECT_EQ(told({{"ZEROTH_CACHE_DIR", "here"}}),
            Lines{"ZEROTH_CACHE_DIR: `here` does not begin with /; as if it were not set"});
  EXPECT_EQ(told({{"ZE_AFFINITY_MASK", "abc"}}),
            Lines{"ZE_AFFINITY_MASK: `abc` is no list of devices, as 0,1.0 is; as if it were not set"});
}

TEST(Environment, AFolderForKernelsMustBeThere) {
  EXPECT_EQ(told({{"ZEROTH_KEEP_KERNELS", std::filesystem::temp_directory_path()}}), Lines());
  EXPECT_EQ(told({{"ZEROTH_KEEP_KERNELS", "/nowhere"}}),
            Lines{"ZEROTH_KEEP_KERNELS: `/nowhere` is no folder that can be written; no kernel is kept"});
}

TEST(Environment, AMaskIsNumbersWithPartsAndCommas) {
  for (const char* mask : {"", "0", "9", "0,1", "0.1,0.3", "0,"}) EXPECT_TRUE(is_affinity_mask(mask)) << mask;
  for (const char* mask : {"abc", "0.", ".1", "0.1.2", "-1", "0;1", "0, 1"})
    EXPECT_FALSE(is_affinity_mask(mask)) << mask;
}

} // namespace
} // namespace zeroth::cpu
