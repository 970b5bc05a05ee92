#include "watch.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <thread>

namespace zeroth::cpu {
namespace {

class Released final : public Waiter {
public:
  void released() override { done.store(true, std::memory_order_release); }
  std::atomic<bool> done{false};
};

using Word = std::atomic<std::uint64_t>;
constexpr std::size_t PageBytes = 4096;

Word* map_page() {
  void* page = mmap(nullptr, PageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_NE(page, MAP_FAILED);
  return static_cast<Word*>(page);
}

WatchedWord at_least_one(Word& word) { return {&word, 1, WatchedWord::Test::AtLeast, false}; }

TEST(Watch, ReleasesWhoWaitsAndNobodyElse) {
  Word* page = map_page();
  Released first, second;
  Watch::shared().add(at_least_one(page[0]), first);
  Watch::shared().add(at_least_one(page[1]), second);
  page[0].store(1);
  while (!first.done.load(std::memory_order_acquire)) std::this_thread::yield();
  EXPECT_FALSE(second.done.load());
  Watch::forget(page, PageBytes);
  munmap(page, PageBytes);
}

// While one thread lets pages go on which waiters still wait, another's waiters are released.
TEST(Watch, MemoryMayGoWhileItIsWatched) {
  constexpr int Rounds = 200;
  std::thread other([] {
    Word* page = map_page();
    for (std::uint64_t i = 1; i <= Rounds; ++i) {
      Released waiter;
      Watch::shared().add({page, i, WatchedWord::Test::AtLeast, false}, waiter);
      page->store(i, std::memory_order_release);
      while (!waiter.done.load(std::memory_order_acquire)) std::this_thread::yield();
    }
    Watch::forget(page, PageBytes);
    munmap(page, PageBytes);
  });
  for (int i = 0; i < Rounds; ++i) {
    Word* page = map_page();
    Released never[2];
    for (int n = 0; n < 2; ++n) Watch::shared().add(at_least_one(page[n * 100]), never[n]);
    Watch::forget(page, PageBytes);
    munmap(page, PageBytes);
    for (Released& waiter : never) EXPECT_FALSE(waiter.done.load());
  }
  other.join();
}

TEST(Watch, WhatIsBesideTheMemoryIsWatchedOn) {
  Word* page = map_page();
  Released inside, before, behind;
  Watch::shared().add(at_least_one(page[9]), before);
  Watch::shared().add(at_least_one(page[10]), inside);
  Watch::shared().add(at_least_one(page[11]), behind);
  Watch::forget(&page[10], sizeof(Word));
  for (int n : {9, 10, 11}) page[n].store(1);
  while (!before.done.load(std::memory_order_acquire) || !behind.done.load(std::memory_order_acquire))
    std::this_thread::yield();
  EXPECT_FALSE(inside.done.load());
  munmap(page, PageBytes);
}

} // namespace
} // namespace zeroth::cpu
