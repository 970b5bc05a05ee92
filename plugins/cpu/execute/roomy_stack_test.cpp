#include "roomy_stack.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

namespace zeroth::cpu {
namespace {

// Uses `depth` times 4 KiB of stack.
std::size_t descend(std::size_t depth) {
  volatile char page[4096];
  std::memset(const_cast<char*>(page), static_cast<int>(depth), sizeof page);
  return depth ? descend(depth - 1) + static_cast<std::size_t>(page[depth % sizeof page] != 0) : 0;
}

struct Descent {
  std::size_t depth = 0, result = 0;
  static void run(void* argument) {
    auto& descent = *static_cast<Descent*>(argument);
    descent.result = descend(descent.depth);
  }
};

TEST(RoomyStack, HoldsWhatTheThreadsOwnCannot) {
  RoomyStack stack;
  for (std::size_t megabytes : {1u, 40u, 2u}) { // a thread has eight
    Descent descent{megabytes * 200, 0};
    stack.call((megabytes << 20) + (64 << 10), &Descent::run, &descent);
    EXPECT_GT(descent.result, 0u);
    stack.trim();
  }
}

TEST(RoomyStack, ServesTheThreadThatCalls) {
  RoomyStack stack;
  struct Seen {
    std::thread::id thread;
    std::uintptr_t local = 0;
  } seen;
  auto look = [](void* argument) {
    auto* to = static_cast<Seen*>(argument);
    to->thread = std::this_thread::get_id();
    to->local = reinterpret_cast<std::uintptr_t>(&argument);
  };
  int here = 0;
  stack.call(1 << 20, look, &seen);
  EXPECT_EQ(seen.thread, std::this_thread::get_id());
  const auto distance = static_cast<std::intptr_t>(reinterpret_cast<std::uintptr_t>(&here) - seen.local);
  EXPECT_GT(std::abs(distance), 1 << 20) << "the same stack";
}

} // namespace
} // namespace zeroth::cpu
