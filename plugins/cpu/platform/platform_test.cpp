#include "core_sets.hpp"
#include "quick.hpp"
#include "topology.hpp"
#include "visibility.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

namespace zeroth::cpu {
namespace {

TEST(QuickFacts, AreCompleteAndConsistent) {
  const QuickFacts facts = read_quick_facts();
  EXPECT_FALSE(facts.name.empty());
  EXPECT_GE(facts.cores, 1u);
  EXPECT_EQ(facts.cores % facts.packages, 0u);
  EXPECT_GT(facts.memory_bytes, 64u << 20);
  EXPECT_GT(available_memory(), 0u);
  EXPECT_LE(available_memory(), facts.memory_bytes);
}

TEST(QuickFacts, UuidIsStableAndTellsDevicesApart) {
  const QuickFacts facts = read_quick_facts();
  EXPECT_EQ(stable_uuid(facts, 0, 0), stable_uuid(read_quick_facts(), 0, 0));
  EXPECT_NE(stable_uuid(facts, 0, 0), stable_uuid(facts, 0, 1));
  EXPECT_NE(stable_uuid(facts, 0, 0), stable_uuid(facts, 1, 0));
}

TEST(Topology, CachesGrowWithTheirLevel) {
  for (const CacheFacts& cache : topology().caches) {
    EXPECT_GT(cache.bytes, 0u);
    EXPECT_GE(cache.line, 16u);
  }
}

TEST(CoreSets, ListsAreRead) {
  EXPECT_EQ(parse_cores("0-3,8"), (CoreSet{0, 1, 2, 3, 8}));
  EXPECT_EQ(parse_cores("5"), (CoreSet{5}));
  EXPECT_EQ(parse_cores("2,1,2"), (CoreSet{1, 2}));
  EXPECT_EQ(parse_cores("x"), CoreSet{});
  EXPECT_EQ(parse_cores("3-"), CoreSet{});
}

TEST(CoreSets, TellWhatTheyCannotRead) {
  for (const char* list : {"0", "0-3,8", "7,5,5-6"}) EXPECT_TRUE(is_core_list(list)) << list;
  for (const char* list : {"", "x", "3-", "-3", "2-1", "1,,2", "1, 2", "99999"})
    EXPECT_FALSE(is_core_list(list)) << list;
  for (const char* how : {"", "0", "64", "numa", "0-3;4-7"}) EXPECT_TRUE(is_split(how)) << how;
  for (const char* how : {"-5", "65", "x", "0;", "0;x", "4 "}) EXPECT_FALSE(is_split(how)) << how;
}

TEST(CoreSets, PartsOfADevice) {
  const CoreSet all{0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_TRUE(split_cores(all, "").empty());
  EXPECT_TRUE(split_cores(all, "0").empty());
  EXPECT_EQ(split_cores(all, "4"), (std::vector<CoreSet>{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(split_cores({3, 9}, "4"), (std::vector<CoreSet>{{3}, {3}, {3}, {9}}));
  EXPECT_EQ(split_cores(all, "0-2;7;99"), (std::vector<CoreSet>{{0, 1, 2}, {7}})) << "processors that are not there";
  for (const CoreSet& part : split_cores(usable_cores(), "numa")) EXPECT_FALSE(part.empty());
}

TEST(CoreSets, TheNodeOfAPart) {
  namespace fs = std::filesystem;
  std::string pattern = fs::temp_directory_path() / "zeroth-nodes-XXXXXX";
  const fs::path nodes = ::mkdtemp(pattern.data());
  auto describe = [&](int node, const char* processors) {
    const fs::path folder = nodes / ("node" + std::to_string(node));
    fs::create_directories(folder);
    std::ofstream(folder / "cpulist") << processors << '\n';
  };
  describe(0, "0-3,8");
  EXPECT_EQ(node_of({0, 1}, nodes.string()), -1) << "there is no choice";
  describe(1, "4-7");
  describe(2, ""); // of memory alone
  EXPECT_EQ(node_of({0, 8}, nodes.string()), 0);
  EXPECT_EQ(node_of({5}, nodes.string()), 1);
  EXPECT_EQ(node_of({3, 4}, nodes.string()), -1);
  fs::remove_all(nodes);
}

using Parts = std::vector<unsigned>;

TEST(Visibility, case_6_MasksInEveryHierarchy) {
  for (const char* hierarchy : {"", "COMPOSITE", "FLAT", "COMBINED"}) {
    EXPECT_EQ(visible_devices("", hierarchy, 4).parts, (Parts{0, 1, 2, 3}));
    EXPECT_EQ(visible_devices("0.3,0.1", hierarchy, 4).parts, (Parts{1, 3}));
    EXPECT_TRUE(visible_devices("0.1", hierarchy, 4).device);
    EXPECT_FALSE(visible_devices("7.1", hierarchy, 4).device);
    EXPECT_FALSE(visible_devices("0.4,x", hierarchy, 4).device);
    EXPECT_TRUE(visible_devices("0", hierarchy, 0).device);
    EXPECT_FALSE(visible_devices("1", hierarchy, 0).device);
  }
  EXPECT_EQ(visible_devices("0", "COMPOSITE", 4).parts, (Parts{0, 1, 2, 3})) << "the device with all its parts";
  EXPECT_EQ(visible_devices("0,2", "FLAT", 4).parts, (Parts{0, 2})) << "parts are devices";
  EXPECT_EQ(visible_devices("3", "combined", 4).parts, (Parts{3}));
}

TEST(Visibility, TwoMasksShowWhatBothShow) {
  auto both = [](const char* one, const char* other, const char* hierarchy, unsigned parts) {
    return common(visible_devices(one, hierarchy, parts), visible_devices(other, hierarchy, parts), parts);
  };
  EXPECT_EQ(both("0.1,0.2", "0.2,0.3", "COMPOSITE", 4).parts, (Parts{2}));
  EXPECT_EQ(both("1,2", "0.2,0.3", "FLAT", 4).parts, (Parts{2}));
  EXPECT_TRUE(both("", "0", "COMPOSITE", 0).device);
  EXPECT_FALSE(both("9", "", "COMPOSITE", 0).device);
  EXPECT_FALSE(both("0.1", "0.2", "FLAT", 4).device) << "not the whole device where no part is left";
}

} // namespace
} // namespace zeroth::cpu
