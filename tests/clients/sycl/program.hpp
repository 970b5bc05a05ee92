// What each SYCL program of this folder starts from. The host part is compiled by a plain C++ compiler; kernels are
// text, compiled by the run-time compiler that the wheel intel-sycl-rt brings.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sycl/sycl.hpp>

namespace program {

namespace oneapi = sycl::ext::oneapi::experimental;

inline sycl::kernel_bundle<sycl::bundle_state::executable> build(const sycl::queue& queue, const std::string& text) {
  std::string log;
  auto source = oneapi::create_kernel_bundle_from_source(queue.get_context(), oneapi::source_language::sycl, text);
  try {
    return oneapi::build(source, oneapi::properties{oneapi::save_log{&log}});
  } catch (const sycl::exception& error) {
    std::fprintf(stderr, "%s\n%s\n", error.what(), log.c_str());
    throw;
  }
}

// Ends the program with a message: a wrong result is a failed test.
template <class T> void check_equal(const T& found, const T& expected, const char* what) {
  if (found == expected) return;
  std::fprintf(stderr, "%s: %s, expected %s\n", what, std::to_string(found).c_str(), std::to_string(expected).c_str());
  std::exit(1);
}

inline void check_device(const sycl::queue& queue) {
  if (queue.get_backend() != sycl::backend::ext_oneapi_level_zero) {
    std::fprintf(stderr, "the queue is not over Level Zero\n");
    std::exit(1);
  }
}

} // namespace program
