#include "sync_word.hpp"
#include "timeline.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

namespace zeroth::cpu {
namespace {

struct CountingWaiter : Waiter {
  std::atomic<int> releases{0};
  void released() override { releases.fetch_add(1); }
};

TEST(SyncWord, SignalReleasesEveryWaiterOnce) {
  SyncWord word;
  CountingWaiter first, second;
  EXPECT_TRUE(word.await(first));
  EXPECT_TRUE(word.await(second));
  EXPECT_FALSE(word.signalled());
  word.signal();
  word.signal();
  EXPECT_EQ(first.releases, 1);
  EXPECT_EQ(second.releases, 1);
  EXPECT_TRUE(word.signalled());
  EXPECT_FALSE(word.await(first)) << "an early signal must not be missed";
}

TEST(SyncWord, ResetMakesItWaitAgainAndKeepsPendingWaiters) {
  SyncWord word;
  CountingWaiter waiter;
  EXPECT_TRUE(word.await(waiter));
  word.reset();
  word.signal();
  EXPECT_EQ(waiter.releases, 1);
  word.reset();
  EXPECT_FALSE(word.signalled());
  EXPECT_FALSE(word.sleep_until(now() + 1000));
}

TEST(SyncWord, MayBeDestroyedByTheOneWhoSeesTheSignal) {
  for (int round = 0; round < 2000; ++round) {
    auto word = std::make_unique<SyncWord>();
    std::thread signaller([raw = word.get()] { raw->signal(); });
    ASSERT_TRUE(word->sleep_until(Forever));
    word.reset();
    signaller.join();
  }
}

TEST(SyncWord, EachWaiterIsReleasedUnderRacingSignal) {
  for (int round = 0; round < 2000; ++round) {
    SyncWord word;
    CountingWaiter waiter;
    std::thread signaller([&] { word.signal(); });
    const bool registered = word.await(waiter);
    signaller.join();
    ASSERT_EQ(waiter.releases, registered ? 1 : 0);
  }
}

TEST(SyncWord, AWaiterOfAnEventThatIsGoneIsNotReleasedByItsSuccessor) {
  SyncWord word;
  CountingWaiter waiter;
  word.begin_life();
  EXPECT_TRUE(word.await(waiter, word.life()));
  word.end_life();
  word.begin_life();
  word.signal();
  EXPECT_EQ(waiter.releases, 0);
}

// The event is destroyed as soon as its waiter has been released, perhaps while the wait is still being registered.
TEST(SyncWord, AWaiterThatWasReleasedIsReleasedBySomethingElseNextTime) {
  constexpr int Rounds = 200'000;
  SyncWord word, next;
  CountingWaiter waiter;
  std::atomic<int> begun{0}, ended{0};
  auto until = [](const std::atomic<int>& number, int round) {
    for (int turn = 0; number.load() < round; ++turn)
      if (turn > 2000) std::this_thread::yield();
  };
  std::thread host([&] {
    for (int round = 1; round <= Rounds; ++round) {
      until(begun, round);
      word.signal();
      word.end_life();
      ended.store(round);
    }
  });
  int lost = 0;
  for (int round = 1; round <= Rounds; ++round) {
    word.reset();
    next.reset();
    word.begin_life();
    begun.store(round);
    word.await(waiter, word.life());
    until(ended, round);
    waiter.releases = 0;
    next.await(waiter);
    next.signal();
    lost += waiter.releases == 0;
  }
  host.join();
  EXPECT_EQ(lost, 0);
}

TEST(Timeline, ReleasesWaitersAtTheirValueOnly) {
  Timeline line;
  CountingWaiter two, five;
  EXPECT_TRUE(line.await(two, 2));
  EXPECT_TRUE(line.await(five, 5));
  line.advance(1);
  EXPECT_EQ(two.releases + five.releases, 0);
  line.advance(4);
  EXPECT_EQ(two.releases, 1);
  EXPECT_EQ(five.releases, 0);
  line.advance(5);
  EXPECT_EQ(five.releases, 1);
  EXPECT_FALSE(line.await(two, 5));
}

TEST(Timeline, NoWaiterIsLostWhileItAdvances) {
  constexpr std::uint64_t Last = 20000;
  Timeline line;
  std::thread advancing([&] {
    for (std::uint64_t v = 1; v <= Last; ++v) line.advance(v);
  });
  std::vector<std::thread> waiting;
  for (int t = 0; t < 3; ++t)
    waiting.emplace_back([&] {
      for (std::uint64_t v = 1; v <= Last; v += 7) {
        CountingWaiter waiter;
        if (!line.await(waiter, v)) continue;
        while (!waiter.releases) std::this_thread::yield();
      }
    });
  for (std::uint64_t v = 1; v <= Last; v += 1001) EXPECT_TRUE(line.sleep_until(v, Forever));
  advancing.join();
  for (auto& thread : waiting) thread.join();
}

TEST(Timeline, SleepEndsAtTheDeadline) {
  Timeline line;
  EXPECT_FALSE(line.sleep_until(1, now() + 100000));
  line.advance(1);
  EXPECT_TRUE(line.sleep_until(1, now()));
}

} // namespace
} // namespace zeroth::cpu
