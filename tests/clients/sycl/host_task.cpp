// Kernels, copies and a host task ordered by events alone on an out-of-order queue; profiling times of the events.
#include "program.hpp"

#include <cstdint>
#include <vector>

constexpr const char* Text = R"(
#include <sycl/sycl.hpp>
namespace oneapi = sycl::ext::oneapi::experimental;

extern "C" SYCL_EXTERNAL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((oneapi::nd_range_kernel<1>))
void advance(long long* values, long long factor, long long summand) {
  auto i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id();
  values[i] = values[i] * factor + summand;
}
)";

constexpr std::size_t Count = 4096;

int main() {
  sycl::queue queue{sycl::property::queue::enable_profiling()};
  program::check_device(queue);
  auto* values = sycl::malloc_device<long long>(Count, queue);
  // Kept for good: the runtime's host-task thread lets go of the last command a moment after the waits have ended, and
  // would destroy the program's images while exit() destroys the table they are in.
  auto& kernel = *new sycl::kernel(program::build(queue, Text).ext_oneapi_get_kernel("advance"));
  const auto advance = [&](long long factor, long long summand, const std::vector<sycl::event>& after) {
    return queue.submit([&](sycl::handler& handler) {
      handler.depends_on(after);
      handler.set_args(values, factor, summand);
      handler.parallel_for(sycl::nd_range<1>{Count, 64}, kernel);
    });
  };

  std::vector<long long> seen(Count), back(Count);
  const sycl::event filled = queue.memset(values, 5, Count * sizeof *values);
  const sycl::event first = advance(3, 0, {filled}); // an argument of all zero bytes
  const sycl::event copied = queue.memcpy(seen.data(), values, Count * sizeof *values, first);
  const sycl::event host = queue.submit([&](sycl::handler& handler) {
    handler.depends_on(copied);
    handler.host_task([&] {
      for (auto& value : seen) value += 100;
    });
  });
  const sycl::event returned = queue.memcpy(values, seen.data(), Count * sizeof *values, host);
  sycl::event last = returned;
  for (int i = 0; i < 20; ++i) last = advance(1, i, {last});
  queue.memcpy(back.data(), values, Count * sizeof *values, last).wait_and_throw();
  for (std::size_t i = 0; i < Count; ++i) program::check_equal(back[i], 0x0505050505050505LL * 3 + 100 + 190, "chain");

  using times = sycl::info::event_profiling::command_start;
  const auto begin = first.get_profiling_info<times>();
  const auto end = first.get_profiling_info<sycl::info::event_profiling::command_end>();
  program::check_equal(begin <= end, true, "a kernel ends after its start");
  program::check_equal(end <= last.get_profiling_info<times>(), true, "a later kernel starts after it");
  program::check_equal(host.get_info<sycl::info::event::command_execution_status>() ==
                           sycl::info::event_command_status::complete,
                       true, "the host task is complete");
  sycl::free(values, queue);
}
