// The soak: many threads, each an Actor, for as long as SOAK_SECONDS says (2 without it; ten minutes is a full run) on
// SOAK_THREADS threads (32). SOAK_SEED repeats a run's choices, though not its timing.
#include "soak.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace device_tests {
namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(Soak, RandomLegalCallsOfManyThreadsEqualTheirMirrors) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(setting("SOAK_SECONDS", 2));
  const std::uint64_t seed = setting("SOAK_SEED", 1);
  const auto kernel = read_kernel("store");
  std::atomic<std::uint64_t> steps{0};
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < setting("SOAK_THREADS", 32); ++i)
    threads.emplace_back([&, i] {
      try {
        Actor actor(seed * 1000 + i, kernel);
        for (; std::chrono::steady_clock::now() < end; ++steps) actor.step();
        actor.finish();
      } catch (const std::runtime_error& error) {
        ADD_FAILURE() << "thread " << i << " of seed " << seed << ": " << error.what();
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_GT(steps, 0u);
  RecordProperty("steps", std::to_string(steps));
}

} // namespace
} // namespace device_tests
