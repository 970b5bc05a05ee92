#include "kernel_cases.hpp"

namespace zeroth::codegen::testing {

namespace {

std::vector<float> random_floats(std::mt19937& random, size_t count, float low = 0.1f, float high = 2.f) {
  std::vector<float> values(count);
  std::uniform_real_distribution<float> next(low, high);
  for (float& value : values) value = next(random);
  return values;
}

std::vector<int> random_ints(std::mt19937& random, size_t count, int low, int high) {
  std::vector<int> values(count);
  std::uniform_int_distribution<int> next(low, high);
  for (int& value : values) value = next(random);
  return values;
}

} // namespace

const std::vector<KernelCase>& kernel_cases() {
  static const std::vector<KernelCase> all = {
      {"saxpy",
       "saxpy",
       {{64, 1, 1}, {7, 1, 1}},
       [](auto& r, Buffers& b) {
         b.floats = {random_floats(r, 448), random_floats(r, 448)};
       },
       [](Buffers& b, auto&) { return Arguments().value(1.5f).buffer(b.floats[0]).buffer(b.floats[1]); }},
      {"saxpy",
       "saxpy",
       {{37, 1, 1}, {5, 1, 1}},
       [](auto& r, Buffers& b) {
         b.floats = {random_floats(r, 185), random_floats(r, 185)};
       },
       [](Buffers& b, auto&) { return Arguments().value(1.5f).buffer(b.floats[0]).buffer(b.floats[1]); }},
      {"saxpy",
       "saxpy",
       {{3, 5, 2}, {5, 1, 1}, {2, 0, 0}, 3},
       [](auto& r, Buffers& b) {
         b.floats = {random_floats(r, 17), random_floats(r, 17)};
       },
       [](Buffers& b, auto&) { return Arguments().value(0.f).buffer(b.floats[0]).buffer(b.floats[1]); }},
      {"triad",
       "triad",
       {{64, 1, 1}, {4, 1, 1}},
       [](auto& r, Buffers& b) {
         b.floats = {random_floats(r, 256), random_floats(r, 256), random_floats(r, 256)};
       },
       [](Buffers& b, auto&) {
         return Arguments().buffer(b.floats[0]).buffer(b.floats[1]).buffer(b.floats[2]).value(3.f).value(201u);
       }},
      {"mandelbrot",
       "mandelbrot",
       {{64, 1, 1}, {2, 40, 1}, {}, 2},
       [](auto&, Buffers& b) { b.ints = {std::vector<int>(128 * 40)}; },
       [](Buffers& b, auto&) {
         return Arguments().buffer(b.ints[0]).value(-2.f).value(-1.2f).value(3.f / 128).value(2.4f / 40).value(100u);
       }},
      {"mandelbrot",
       "mandelbrot",
       {{13, 3, 1}, {5, 7, 1}, {}, 2},
       [](auto&, Buffers& b) { b.ints = {std::vector<int>(65 * 21)}; },
       [](Buffers& b, auto&) {
         return Arguments().buffer(b.ints[0]).value(-2.f).value(-1.2f).value(3.f / 65).value(2.4f / 21).value(100u);
       }},
      {"stencil5",
       "stencil5",
       {{64, 4, 1}, {2, 8, 1}, {}, 2},
       [](auto& r, Buffers& b) {
         b.floats = {random_floats(r, 100 * 31), random_floats(r, 100 * 31)};
       },
       [](Buffers& b, auto&) {
         return Arguments().buffer(b.floats[0]).buffer(b.floats[1]).value(100).value(31).value(.5f).value(.125f);
       },
       1e-6f},
      {"sobelb",
       "sobelb",
       {{16, 2, 1}, {8, 16, 1}, {}, 2},
       [](auto& r, Buffers& b) {
         b.floats = {random_floats(r, 100 * 31), random_floats(r, 100 * 31)};
       },
       [](Buffers& b, auto&) { return Arguments().buffer(b.floats[0]).buffer(b.floats[1]).value(100).value(31); },
       1e-5f},
      {"transpose",
       "transpose",
       {{16, 16, 1}, {3, 4, 1}, {}, 2},
       [](auto& r, Buffers& b) {
         b.floats = {random_floats(r, 48 * 64), std::vector<float>(48 * 64)};
       },
       [](Buffers& b, auto&) { return Arguments().buffer(b.floats[0]).buffer(b.floats[1]).value(48u).value(64u); }},
      {"sgemm_naive",
       "sgemm_naive",
       {{16, 16, 1}, {4, 3, 1}, {}, 2},
       [](auto& r, Buffers& b) {
         b.floats = {random_floats(r, 45 * 20), random_floats(r, 20 * 60), std::vector<float>(45 * 60)};
       },
       [](Buffers& b, auto&) {
         return Arguments().buffer(b.floats[0]).buffer(b.floats[1]).buffer(b.floats[2]).value(45).value(60).value(20);
       }},
      {"sgemm_tiled",
       "sgemm_tiled",
       {{16, 16, 1}, {4, 3, 1}, {}, 2},
       [](auto& r, Buffers& b) {
         b.floats = {random_floats(r, 48 * 32), random_floats(r, 32 * 64), std::vector<float>(48 * 64)};
       },
       [](Buffers& b, auto&) {
         return Arguments().buffer(b.floats[0]).buffer(b.floats[1]).buffer(b.floats[2]).value(48).value(64).value(32);
       }},
      {"sgemm_reg",
       "sgemm_reg",
       {{64, 8, 1}, {1, 2, 1}, {}, 2},
       [](auto& r, Buffers& b) {
         b.floats = {random_floats(r, 128 * 32), random_floats(r, 32 * 64), std::vector<float>(128 * 64)};
       },
       [](Buffers& b, auto&) {
         return Arguments().buffer(b.floats[0]).buffer(b.floats[1]).buffer(b.floats[2]).value(128).value(64).value(32);
       }},
      {"reduce",
       "reduce",
       {{64, 1, 1}, {4, 1, 1}},
       [](auto& r, Buffers& b) {
         b.floats = {random_floats(r, 1000), std::vector<float>(4)};
       },
       [](Buffers& b, auto& k) {
         return Arguments().buffer(b.floats[0]).buffer(b.floats[1]).local(k.local_bytes, 256).value(1000u);
       }},
      {"reduce",
       "reduce",
       {{37, 1, 1}, {4, 1, 1}},
       [](auto& r, Buffers& b) {
         b.floats = {random_floats(r, 1000), std::vector<float>(4)};
       },
       [](Buffers& b, auto& k) {
         return Arguments().buffer(b.floats[0]).buffer(b.floats[1]).local(k.local_bytes, 256).value(1000u);
       }},
      {"redbar",
       "redbar",
       {{32, 1, 1}, {3, 1, 1}},
       [](auto& r, Buffers& b) {
         b.floats = {random_floats(r, 3 * 64 * 32), std::vector<float>(3)};
       },
       [](Buffers& b, auto& k) {
         return Arguments().buffer(b.floats[0]).buffer(b.floats[1]).local(k.local_bytes, 256);
       }},
      {"nbody",
       "nbody",
       {{32, 1, 1}, {4, 1, 1}},
       [](auto& r, Buffers& b) {
         b.floats = {random_floats(r, 512), std::vector<float>(512)};
       },
       [](Buffers& b, auto& k) {
         return Arguments().buffer(b.floats[0]).buffer(b.floats[1]).local(k.local_bytes, 512).value(128u).value(.01f);
       },
       1e-4f},
      {"histogram",
       "histogram",
       {{48, 1, 1}, {3, 1, 1}},
       [](auto& r, Buffers& b) {
         b.ints = {random_ints(r, 2000, 0, 0x10100), std::vector<int>(256)};
       },
       [](Buffers& b, auto&) { return Arguments().buffer(b.ints[0]).buffer(b.ints[1]).value(2000u); }},
      {"histg",
       "histg",
       {{40, 1, 1}, {5, 1, 1}},
       [](auto& r, Buffers& b) {
         b.ints = {random_ints(r, 200, 0, 1000), std::vector<int>(64)};
       },
       [](Buffers& b, auto&) { return Arguments().buffer(b.ints[0]).buffer(b.ints[1]).value(63u); }},
      {"conditional_barriers",
       "conditional_barriers",
       {{64, 1, 1}, {3, 1, 1}},
       [](auto& r, Buffers& b) { b.ints = {random_ints(r, 3 * 64, 0, 1000)}; },
       [](Buffers& b, auto&) { return Arguments().buffer(b.ints[0]).value(0xa5f3c9u); }},
      {"conditional_barriers",
       "conditional_barriers",
       {{37, 1, 1}, {3, 1, 1}},
       [](auto& r, Buffers& b) { b.ints = {random_ints(r, 3 * 37, 0, 1000)}; },
       [](Buffers& b, auto&) { return Arguments().buffer(b.ints[0]).value(0xa5f3c9u); }},
      {"ctlflow",
       "ctlflow",
       {{32, 1, 1}, {4, 1, 1}},
       [](auto& r, Buffers& b) {
         b.ints = {random_ints(r, 128 * 16 + 256, -1, 12), std::vector<int>(128)};
       },
       [](Buffers& b, auto&) { return Arguments().buffer(b.ints[0]).buffer(b.ints[1]).value(100).value(16); }},
  };
  return all;
}

} // namespace zeroth::codegen::testing
