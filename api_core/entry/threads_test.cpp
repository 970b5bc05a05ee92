// Initialisation from many threads at once (case 4), meant for the thread sanitizer too.
#include <barrier>
#include <random>
#include <thread>
#include <vector>

#include <level_zero/ze_api.h>
#include <level_zero/zes_api.h>

#include <entry/testing/fresh_process.hpp>

namespace {

using zeroth::testing::in_fresh_process;
using zeroth::testing::use_drivers;

constexpr unsigned Threads = 32;

// The first runs of a process are the interesting ones; ZEROTH_RUNS asks for more of them.
unsigned runs() {
  const char* text = std::getenv("ZEROTH_RUNS");
  return text == nullptr ? 5 : std::atoi(text);
}

using Seen = std::vector<void*>;

template <class Handle, class Get> Seen list(Get get) {
  uint32_t count = 0;
  if (get(&count, nullptr) != ZE_RESULT_SUCCESS) return {};
  std::vector<Handle> handles(count);
  if (get(&count, handles.data()) != ZE_RESULT_SUCCESS) return {};
  return Seen(handles.begin(), handles.end());
}

Seen enumerate_by(unsigned way) {
  ze_init_driver_type_desc_t desc{ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, nullptr, UINT32_MAX};
  switch (way) {
  case 0:
    return zeInit(0) == ZE_RESULT_SUCCESS ? list<ze_driver_handle_t>(zeDriverGet) : Seen();
  case 1:
    return list<ze_driver_handle_t>(
        [&](uint32_t* count, ze_driver_handle_t* drivers) { return zeInitDrivers(count, drivers, &desc); });
  default:
    return zesInit(0) == ZE_RESULT_SUCCESS ? list<zes_driver_handle_t>(zesDriverGet) : Seen();
  }
}

void start_together(unsigned seed) {
  std::barrier start(Threads);
  std::vector<Seen> seen(Threads);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < Threads; ++i)
    threads.emplace_back([&, i] {
      const unsigned way = std::mt19937(seed * Threads + i)() % 3;
      start.arrive_and_wait();
      seen[i] = enumerate_by(way);
    });
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(seen[0].size(), 2u);
  for (const Seen& handles : seen) EXPECT_EQ(handles, seen[0]);
}

TEST(Threads, that_initialise_together_in_any_way_see_the_same_drivers) {
  for (unsigned run = 0; run < runs(); ++run)
    in_fresh_process([run] {
      use_drivers(FAKE_CPU "," FAKE_CPU2);
      start_together(run);
    });
}

} // namespace
