// Kernels whose code comes late: compiled when they are created, exchanged while they run.
#include "list_fixture.hpp"

namespace zeroth::cpu {
namespace {

using namespace testing;

using LateCode = ListFixture;

void write_scratch(const zeroth_launch* launch, zeroth_worker* worker, uint64_t first, uint64_t end) {
  std::memset(worker->scratch, 0xab, 1 << 20); // as much as this code asks for
  add_value(launch, worker, first, end);
  add_value(launch, worker, first, end);
}

ze_kernel_handle_t create(CpuModule& module, const char* name, ze_result_t expected = ZE_RESULT_SUCCESS) {
  const ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
  ze_kernel_handle_t kernel = nullptr;
  EXPECT_EQ(ze().Kernel.pfnCreate(to_handle(&module), &desc, &kernel), expected);
  return kernel;
}

TEST_F(LateCode, FailureIsReportedByKernelCreation) {
  auto made = std::make_shared<HandMadeModule>();
  made->add("add", &add_value, 1);
  made->failure = "error: no such thing at word 77";
  CpuModule module(*from_handle<CpuContext>(context()), device(), made);
  uint32_t count = 0;
  EXPECT_EQ(ze().Module.pfnGetKernelNames(to_handle(&module), &count, nullptr), ZE_RESULT_SUCCESS);
  EXPECT_EQ(count, 1u);
  create(module, "add", ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  EXPECT_NE(std::string(last_error::text()).find("word 77"), std::string::npos);
}

// A recorded list runs whatever code is best at the time, with the scratch that it needs.
TEST_F(LateCode, ExchangedCodeServesListsThatWereRecordedBefore) {
  auto made = std::make_shared<HandMadeModule>();
  made->add("add", &add_value, 1);
  CpuModule module(*from_handle<CpuContext>(context()), device(), made);
  ze_kernel_handle_t kernel = create(module, "add");
  std::vector<std::atomic<uint64_t>> counters(300);
  const void* pointer = counters.data();
  const uint64_t one = 1;
  ze().Kernel.pfnSetArgumentValue(kernel, 0, sizeof pointer, &pointer);
  ze().Kernel.pfnSetArgumentValue(kernel, 1, sizeof one, &one);
  ze().Kernel.pfnSetGroupSize(kernel, 4, 1, 1);
  auto list = regular_list(0);
  const ze_group_count_t groups{300, 1, 1};
  ASSERT_EQ(ze().CommandList.pfnAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr), ZE_RESULT_SUCCESS);
  ze().CommandList.pfnClose(list);
  auto work = queue();
  const auto execute = [&] {
    ASSERT_EQ(ze().CommandQueue.pfnExecuteCommandLists(work, 1, &list, nullptr), ZE_RESULT_SUCCESS);
    ASSERT_EQ(ze().CommandQueue.pfnSynchronize(work, UINT64_MAX), ZE_RESULT_SUCCESS);
  };
  execute();
  for (const auto& counter : counters) ASSERT_EQ(counter, 1u);
  compiler::KernelInfo better = made->infos[0];
  better.entry = &write_scratch;
  better.width = 4;
  better.scratch_fixed_bytes = 1 << 20;
  made->exchange(0, better);
  execute();
  for (const auto& counter : counters) ASSERT_EQ(counter, 3u);
  ze().CommandQueue.pfnDestroy(work);
  ze().CommandList.pfnDestroy(list);
  ze().Kernel.pfnDestroy(kernel);
}

} // namespace
} // namespace zeroth::cpu
