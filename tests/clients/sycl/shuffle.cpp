// Each sub-group scans its lanes by shuffles; sub-group totals meet in local memory: an inclusive scan of the
// work-group.
#include "program.hpp"

constexpr const char* Text = R"(
#include <sycl/sycl.hpp>
namespace oneapi = sycl::ext::oneapi::experimental;

extern "C" SYCL_EXTERNAL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((oneapi::nd_range_kernel<1>))
void scan(const int* in, int* out, sycl::local_accessor<int, 1> totals) {
  auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  auto lanes = item.get_sub_group();
  const auto lane = lanes.get_local_linear_id();
  int value = in[item.get_global_linear_id()];
  for (unsigned step = 1; step < lanes.get_max_local_range()[0]; step *= 2) {
    const int before = sycl::shift_group_right(lanes, value, step);
    if (lane >= step) value += before;
  }
  if (lane + 1 == lanes.get_local_linear_range()) totals[lanes.get_group_linear_id()] = value;
  sycl::group_barrier(item.get_group());
  for (unsigned i = 0; i < lanes.get_group_linear_id(); ++i) value += totals[i];
  out[item.get_global_linear_id()] = value;
}

extern "C" SYCL_EXTERNAL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((oneapi::nd_range_kernel<1>))
void reverse(const int* in, int* out) {
  auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  auto lanes = item.get_sub_group();
  const unsigned last = lanes.get_local_linear_range() - 1;
  out[item.get_global_linear_id()] = sycl::select_from_group(lanes, in[item.get_global_linear_id()], last - lanes.get_local_linear_id())
                                   + 1000 * sycl::permute_group_by_xor(lanes, (int)lanes.get_local_linear_id(), 1);
}
)";

constexpr int Group = 128, Count = Group * 40;

void check_scan(const int* in, const int* out) {
  for (int i = 0, sum = 0; i < Count; ++i) {
    sum = (i % Group ? sum : 0) + in[i];
    program::check_equal(out[i], sum, "scan");
  }
}

// Sub-groups cut the work-group into runs of `size` items.
void check_reverse(const int* in, const int* out, int size) {
  for (int i = 0; i < Count; ++i) {
    const int lane = i % Group % size, first = i - lane;
    program::check_equal(out[i], in[first + size - 1 - lane] + 1000 * (lane ^ 1), "reverse");
  }
}

int main() {
  sycl::queue queue{sycl::property::queue::in_order()};
  program::check_device(queue);
  int* in = sycl::malloc_shared<int>(Count, queue);
  int* out = sycl::malloc_shared<int>(Count, queue);
  for (int i = 0; i < Count; ++i) in[i] = i * 37 % 101 - 50;
  auto bundle = program::build(queue, Text);
  const sycl::nd_range<1> range{Count, Group};

  queue.submit([&](sycl::handler& handler) {
    sycl::local_accessor<int, 1> totals{Group, handler};
    handler.set_args(in, out, totals);
    handler.parallel_for(range, bundle.ext_oneapi_get_kernel("scan"));
  });
  queue.wait_and_throw();
  check_scan(in, out);

  sycl::kernel reverse = bundle.ext_oneapi_get_kernel("reverse");
  const auto size = reverse.get_info<sycl::info::kernel_device_specific::max_sub_group_size>(queue.get_device());
  queue.submit([&](sycl::handler& handler) {
    handler.set_args(in, out);
    handler.parallel_for(range, reverse);
  });
  queue.wait_and_throw();
  check_reverse(in, out, int(size));
  sycl::free(in, queue);
  sycl::free(out, queue);
}
