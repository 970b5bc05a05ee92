#include "epochs.hpp"

#include <gtest/gtest.h>

namespace zeroth::cpu {
namespace {

TEST(Epochs, AWaitNeedsTheEndOfWhatHadBegunAndOfNothingElse) {
  Epochs epochs;
  EXPECT_EQ(Epochs::Wait(epochs).missing(), 0u);
  const bool first = epochs.begin(), second = epochs.begin();
  Epochs::Wait wait(epochs);
  EXPECT_EQ(wait.missing(), 2u);
  const bool later = epochs.begin();
  EXPECT_EQ(wait.missing(), 2u);
  epochs.end(second);
  EXPECT_EQ(wait.missing(), 1u);
  epochs.end(first);
  EXPECT_EQ(wait.missing(), 0u);
  Epochs::Wait next(epochs);
  EXPECT_EQ(next.missing(), 1u);
  epochs.end(later);
  EXPECT_EQ(next.missing(), 0u);
}

TEST(Epochs, WaitsThatOverlapEndEachWithItsOwn) {
  Epochs epochs;
  const bool first = epochs.begin();
  Epochs::Wait one(epochs);
  EXPECT_EQ(one.missing(), 1u);
  const bool second = epochs.begin();
  Epochs::Wait other(epochs), late(epochs);
  EXPECT_EQ(other.missing(), 1u) << "the first is missing: its epoch is to be used again";
  epochs.end(first);
  EXPECT_EQ(other.missing(), 1u);
  const bool third = epochs.begin();
  EXPECT_EQ(one.missing(), 0u) << "a wait that nobody looked at while others went on";
  EXPECT_EQ(late.missing(), 1u);
  epochs.end(second);
  EXPECT_EQ(late.missing(), 0u);
  EXPECT_EQ(other.missing(), 0u);
  epochs.end(third);
  EXPECT_EQ(Epochs::Wait(epochs).missing(), 0u);
}

} // namespace
} // namespace zeroth::cpu
