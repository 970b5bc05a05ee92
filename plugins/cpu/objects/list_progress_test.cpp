#include "list_progress.hpp"

#include <gtest/gtest.h>

namespace zeroth::cpu {
namespace {

struct ListProgressOfTwoSignals : ::testing::Test {
  ListProgress& progress = ListProgress::take();
  const std::uint64_t before = progress.value();
  ListProgressOfTwoSignals() {
    progress.add_signal();
    progress.add_signal();
  }
  ~ListProgressOfTwoSignals() override { progress.give_back(); }
};

TEST_F(ListProgressOfTwoSignals, SignalsHaveNumbersOfTheExecutionThatWasSubmittedLast) {
  EXPECT_EQ(progress.number_of(1), before + 1) << "of the first to come";
  EXPECT_EQ(progress.signal_at(before + 2), 2u);
  progress.begin_execution(before + 1);
  progress.begin_execution(before + 3);
  EXPECT_EQ(progress.number_of(2), before + 4);
  EXPECT_EQ(progress.signal_at(before + 3), 1u);
  EXPECT_EQ(progress.signal_at(before + 2), 0u) << "of an earlier execution";
}

TEST_F(ListProgressOfTwoSignals, AnEventThatWasExchangedStandsForTheExecutionAfterTheLast) {
  progress.begin_execution(before + 1);
  EXPECT_EQ(progress.signal_at(before + 3), 1u);
  EXPECT_EQ(progress.signal_at(before + 4), 2u);
}

TEST_F(ListProgressOfTwoSignals, AnotherRecordingIsAnother) {
  const std::uint32_t first = progress.recording();
  progress.begin_execution(before + 1);
  progress.begin_recording(before + 3);
  EXPECT_NE(progress.recording(), first);
  progress.add_signal();
  EXPECT_EQ(progress.number_of(1), before + 3);
}

} // namespace
} // namespace zeroth::cpu
