#include "executor.hpp"
#include "slices.hpp"
#include "worker.hpp"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace zeroth::cpu {
namespace {

struct Fixture : ::testing::Test {
  Executor executor{{}};
  Worker worker{executor};
  zeroth_launch launch{};
  const std::uint32_t group[3] = {0, 0, 0};

  void run(std::uint32_t slices, zeroth_slice_fn function, void* context) {
    zeroth_worker& view = worker.view(0, 0);
    view.services->run_slices(&launch, &view, group, slices, function, context);
  }
};

using Slices = Fixture;

// Each slice adds its left neighbour's value of the round before: wrong unless every barrier holds.
void add_neighbour(const zeroth_launch*, zeroth_worker* worker, const std::uint32_t*, std::uint32_t slice, void* data) {
  auto& cells = *static_cast<std::vector<std::uint64_t>*>(data);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t left = cells[(slice + cells.size() - 1) % cells.size()];
    worker->services->barrier(worker);
    cells[slice] += left;
    worker->services->barrier(worker);
  }
}

TEST_F(Slices, ABarrierIsPassedOnlyWhenAllHaveArrived) {
  for (std::uint32_t slices : {1u, 2u, 3u, 64u, 300u}) {
    std::vector<std::uint64_t> cells(slices), expected(slices);
    std::iota(cells.begin(), cells.end(), 1);
    expected = cells;
    for (int round = 0; round < 10; ++round) {
      const std::vector<std::uint64_t> before = expected;
      for (std::size_t i = 0; i < slices; ++i) expected[i] += before[(i + slices - 1) % slices];
    }
    run(slices, &add_neighbour, &cells);
    EXPECT_EQ(cells, expected) << slices << " slices";
  }
}

// Slice n passes n barriers and returns.
struct Departures {
  std::atomic<std::size_t> count{0};
  std::vector<std::uint32_t> order = std::vector<std::uint32_t>(20);
};
void leave_early(const zeroth_launch*, zeroth_worker* worker, const std::uint32_t*, std::uint32_t slice, void* data) {
  auto& departures = *static_cast<Departures*>(data);
  for (std::uint32_t i = 0; i < slice; ++i) worker->services->barrier(worker);
  departures.order[departures.count++] = slice;
}

TEST_F(Slices, ThoseWhoHaveReturnedAreNotWaitedFor) {
  Departures departures;
  std::vector<std::uint32_t> expected(20);
  std::iota(expected.begin(), expected.end(), 0);
  run(20, &leave_early, &departures);
  EXPECT_EQ(departures.order, expected);
}

void use_stack(const zeroth_launch*, zeroth_worker* worker, const std::uint32_t*, std::uint32_t slice, void* data) {
  volatile char block[40000];
  std::memset(const_cast<char*>(block), static_cast<int>(slice), sizeof block);
  worker->services->barrier(worker);
  for (std::size_t i = 0; i < sizeof block; i += 997)
    if (block[i] != static_cast<char>(slice)) ++*static_cast<std::atomic<int>*>(data);
}

TEST_F(Slices, StacksDoNotOverlap) {
  std::atomic<int> wrong{0};
  run(100, &use_stack, &wrong);
  worker.slices().reserve(200, 100000);
  run(200, &use_stack, &wrong);
  EXPECT_EQ(wrong, 0);
}

#if defined(__SANITIZE_THREAD__)
// Both slices write one cell between the same barriers. They never run at once, yet it is a race of the kernel.
void race(const zeroth_launch*, zeroth_worker* worker, const std::uint32_t*, std::uint32_t slice, void* data) {
  worker->services->barrier(worker);
  *static_cast<std::uint32_t*>(data) = slice;
  worker->services->barrier(worker);
}

TEST_F(Slices, ThreadSanitizerReportsARaceBetweenSlices) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        std::uint32_t cell = 0;
        run(2, &race, &cell);
        _exit(0); // the sanitizer replaces the status when it has reported
      },
      ::testing::ExitedWithCode(66), "data race");
}
#endif

} // namespace
} // namespace zeroth::cpu
