// Shared, device and host USM; a sum over a million values by group reductions and one atomic a group.
#include "program.hpp"

#include <cstdint>

constexpr const char* Text = R"(
#include <sycl/sycl.hpp>
namespace oneapi = sycl::ext::oneapi::experimental;

extern "C" SYCL_EXTERNAL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((oneapi::nd_range_kernel<1>))
void sum(const unsigned* values, unsigned long long* total, unsigned count) {
  auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  unsigned long long own = 0;
  for (size_t i = item.get_global_linear_id(); i < count; i += item.get_global_range(0)) own += values[i];
  const auto whole = sycl::reduce_over_group(item.get_group(), own, sycl::plus<>());
  if (item.get_local_linear_id() == 0)
    sycl::atomic_ref<unsigned long long, sycl::memory_order::relaxed, sycl::memory_scope::device>(*total) += whole;
}
)";

int main() {
  constexpr unsigned Count = 1'000'003;
  sycl::queue queue{sycl::property::queue::in_order()};
  program::check_device(queue);
  auto* from = sycl::malloc_host<unsigned>(Count, queue);
  auto* values = sycl::malloc_device<unsigned>(Count, queue);
  auto* total = sycl::malloc_shared<unsigned long long>(1, queue);
  unsigned long long expected = 0;
  for (unsigned i = 0; i < Count; ++i) expected += from[i] = i * 2654435761u;
  *total = 0;

  sycl::kernel kernel = program::build(queue, Text).ext_oneapi_get_kernel("sum");
  queue.memcpy(values, from, Count * sizeof *values);
  queue.submit([&](sycl::handler& handler) {
    handler.set_args(values, total, Count);
    handler.parallel_for(sycl::nd_range<1>{64 * 100, 64}, kernel);
  });
  queue.wait_and_throw();
  program::check_equal(*total, expected, "sum");

  const auto kind = [&](const void* pointer) { return sycl::get_pointer_type(pointer, queue.get_context()); };
  program::check_equal(int(kind(from)), int(sycl::usm::alloc::host), "kind of host memory");
  program::check_equal(int(kind(values + 7)), int(sycl::usm::alloc::device), "kind of device memory");
  program::check_equal(int(kind(total)), int(sycl::usm::alloc::shared), "kind of shared memory");
  program::check_equal(int(kind(&expected)), int(sycl::usm::alloc::unknown), "kind of the stack");
  for (void* memory : {static_cast<void*>(from), static_cast<void*>(values), static_cast<void*>(total)})
    sycl::free(memory, queue);
}
