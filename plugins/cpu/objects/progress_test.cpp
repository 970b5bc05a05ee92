// What every program may rely on: nothing starves, nothing burns, nothing leaks, whatever kernels do.
#include "list_fixture.hpp"

#include <cfenv>
#include <ctime>
#include <xmmintrin.h>

namespace zeroth::cpu {
namespace {

using namespace testing;
using std::uint64_t;

using Progress = ListFixture;

unsigned threads() { return CpuDriver::instance().executor().threads(); }

TEST_F(Progress, KernelsThatPollStarveNoOtherList) {
  std::atomic<uint64_t> word{0}, counter{0};
  std::vector<ze_command_list_handle_t> polling;
  for (unsigned i = 0; i < threads() + 2; ++i) {
    polling.push_back(i % 2 ? in_order() : out_of_order());
    ASSERT_EQ(launch(polling.back(), kernel("poll", &word, 1)), ZE_RESULT_SUCCESS);
  }
  auto other = in_order();
  launch(other, kernel("add", &counter, 1));
  while (counter == 0) std::this_thread::yield(); // nobody waits in the API, so nobody helps
  launch(other, kernel("add", &word, 1));         // what the pollers wait for may be a kernel itself
  for (auto list : polling) EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
  EXPECT_EQ(wait(other), ZE_RESULT_SUCCESS);
}

TEST_F(Progress, CooperativeLaunchesGetTheirThreadsFromUnderPollingKernels) {
  std::atomic<uint64_t> word{0}, meeting{0};
  std::vector<ze_command_list_handle_t> polling;
  for (unsigned i = 0; i < threads(); ++i) {
    polling.push_back(in_order());
    ASSERT_EQ(launch(polling.back(), kernel("poll", &word, 1)), ZE_RESULT_SUCCESS);
  }
  auto list = in_order();
  const ze_group_count_t count{threads(), 1, 1};
  ASSERT_EQ(ze().CommandList.pfnAppendLaunchCooperativeKernel(list, kernel("meet", &meeting, threads()), &count,
                                                              nullptr, 0, nullptr),
            ZE_RESULT_SUCCESS);
  EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
  word = 1;
  for (auto one : polling) EXPECT_EQ(wait(one), ZE_RESULT_SUCCESS);
}

// The API forbids it, so their order is anybody's guess; but each is executed, and nobody waits for ever.
TEST_F(Progress, CommandsOfTwoThreadsThatAppendToOneListAreAllExecuted) {
  constexpr unsigned Rounds = Sanitized ? 2000 : 20000;
  for (auto list : {in_order(), out_of_order(), keep(immediate_list(0, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS))}) {
    std::atomic<uint64_t> sum{0};
    const ze_kernel_handle_t kernels[] = {kernel("add", &sum, 1), kernel("add", &sum, 1)};
    auto append = [&](ze_kernel_handle_t mine) {
      for (unsigned i = 0; i < Rounds; ++i) {
        ASSERT_EQ(launch(list, mine), ZE_RESULT_SUCCESS);
        if (i % 512 == 0) {
          ASSERT_EQ(wait(list), ZE_RESULT_SUCCESS);
        }
      }
    };
    std::thread other(append, kernels[1]);
    append(kernels[0]);
    other.join();
    EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
    EXPECT_EQ(sum, 2 * Rounds);
  }
}

uint64_t cpu_nanoseconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

TEST_F(Progress, AnIdleDeviceUsesNoProcessorTime) {
  std::atomic<uint64_t> word{0};
  auto list = in_order();
  launch(list, kernel("add", &word, 1));
  wait(list);
  uint64_t used = ~uint64_t{0};
  for (int second = 0; second < 20 && used > 300'000; ++second) { // threads of earlier tests may still settle
    const uint64_t before = cpu_nanoseconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    used = cpu_nanoseconds() - before;
  }
  EXPECT_LE(used, 300'000u) << "nanoseconds in 300 ms, of which this thread's own sleep is some";
}

// *word = the floating-point control it ran under, its flags left out, | 1 << 32
void read_control(const zeroth_launch* launch, zeroth_worker*, uint64_t, uint64_t) {
  argument<std::atomic<uint64_t>*>(launch, 0)->store((_mm_getcsr() & ~0x3fu) | uint64_t{1} << 32);
}

TEST_F(Progress, KernelsHaveTheDefaultFloatingPointEnvironmentAndHelpersKeepTheirs) {
  auto made = std::make_shared<HandMadeModule>();
  made->add("control", &read_control, 1);
  auto& module = *new CpuModule(*from_handle<CpuContext>(context()), testing::device(), made);
  const ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "control"};
  ze_kernel_handle_t kernel = nullptr;
  ASSERT_EQ(ze().Kernel.pfnCreate(to_handle(&module), &desc, &kernel), ZE_RESULT_SUCCESS);
  std::atomic<uint64_t> word{0};
  const void* pointer = &word;
  ze().Kernel.pfnSetArgumentValue(kernel, 0, 8, &pointer);
  const unsigned before = _mm_getcsr(), own = 0x1f80 | 0x8040 | 0x4000 | 0x20; // flush to zero, upwards, inexact
  _mm_setcsr(own);
  for (auto list : {in_order(), out_of_order(), keep(immediate_list(0, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS))})
    for (bool help : {true, false}) {
      word = 0;
      launch(list, kernel);
      while (!help && word == 0) std::this_thread::yield();
      EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
      EXPECT_EQ(word, 0x1f80u | uint64_t{1} << 32);
      EXPECT_EQ(_mm_getcsr(), own);
    }
  _mm_setcsr(before);
  ze().Kernel.pfnDestroy(kernel);
  ze().Module.pfnDestroy(to_handle(&module));
}

TEST_F(Progress, AnImmenseDemandOfPrivateMemoryIsRefusedAtTheAppend) {
  auto made = std::make_shared<HandMadeModule>();
  for (auto engine : {compiler::Engine::Fiber, compiler::Engine::Region}) {
    auto& info = made->add(engine == compiler::Engine::Fiber ? "fibers" : "regions", &read_control, 1);
    info.engine = engine;
    (engine == compiler::Engine::Fiber ? info.private_bytes : info.scratch_slice_bytes) = uint64_t{1} << 38;
  }
  auto& module = *new CpuModule(*from_handle<CpuContext>(context()), testing::device(), made);
  uint64_t word = 0;
  const uint64_t* pointer = &word;
  for (const char* name : {"fibers", "regions"}) {
    const ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
    ze_kernel_handle_t kernel = nullptr;
    ASSERT_EQ(ze().Kernel.pfnCreate(to_handle(&module), &desc, &kernel), ZE_RESULT_SUCCESS);
    ze().Kernel.pfnSetArgumentValue(kernel, 0, 8, &pointer);
    ASSERT_EQ(ze().Kernel.pfnSetGroupSize(kernel, 256, 1, 1), ZE_RESULT_SUCCESS);
    EXPECT_EQ(launch(in_order(), kernel), ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY) << name;
    ze().Kernel.pfnDestroy(kernel);
  }
  ze().Module.pfnDestroy(to_handle(&module));
}

TEST_F(Progress, AWaitWithATimeOutRunsCopiesButNoKernel) {
  std::atomic<uint64_t> word{0};
  std::vector<ze_command_list_handle_t> polling;
  for (unsigned i = 0; i < threads(); ++i) {
    polling.push_back(in_order());
    launch(polling.back(), kernel("poll", &word, 1));
  }
  auto list = in_order();
  char from[64] = "copied by the one who waits", to[64] = {};
  ze().CommandList.pfnAppendMemoryCopy(list, to, from, sizeof from, nullptr, 0, nullptr);
  EXPECT_EQ(wait(list, 5'000'000'000), ZE_RESULT_SUCCESS);
  EXPECT_STREQ(to, from);
  launch(list, kernel("poll", &word, 1));
  EXPECT_EQ(wait(list, 1'000'000), ZE_RESULT_NOT_READY);
  word = 1;
  EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
  for (auto one : polling) EXPECT_EQ(wait(one), ZE_RESULT_SUCCESS);
}

TEST_F(Progress, AMillionLaunchesLeaveMemoryFlat) {
  std::atomic<uint64_t> word{0};
  auto add = kernel("add", &word, 1);
  auto ordered = in_order(), free = out_of_order();
  auto event = new_counter_event();
  auto run = [&](int count) {
    for (int i = 0; i < count; ++i) {
      launch(ordered, add, 1, event);
      launch(free, add, 1, nullptr, {event});
      if (i % 1000 == 0) wait(ordered), wait(free);
    }
    EXPECT_EQ(wait(ordered), ZE_RESULT_SUCCESS);
    EXPECT_EQ(wait(free), ZE_RESULT_SUCCESS);
  };
  run(20'000);
  const std::size_t before = resident_pages();
  constexpr int Rounds = Sanitized ? 20'000 : 500'000;
  run(Rounds);
  EXPECT_EQ(word, 2u * (Rounds + 20'000));
  if (!Sanitized) {
    EXPECT_LT(resident_pages(), before + 512) << "pages of 4 KiB";
  }
}

} // namespace
} // namespace zeroth::cpu
