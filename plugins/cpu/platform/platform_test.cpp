#include "quick.hpp"
#include "topology.hpp"

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

} // namespace
} // namespace zeroth::cpu
