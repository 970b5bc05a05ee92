#include "spirv_cases.hpp"

#include <algorithm>

namespace zeroth::aarch64 {
namespace {

using namespace codegen::testing;
using Random = std::mt19937;

template <class T = float> std::vector<T> reals(Random& random, size_t count, T low = T(0.1), T high = T(2)) {
  std::vector<T> values(count);
  std::uniform_real_distribution<T> next(low, high);
  for (T& value : values) value = next(random);
  return values;
}

std::vector<int> integers(Random& random, size_t count, int low, int high) {
  std::vector<int> values(count);
  std::uniform_int_distribution<int> next(low, high);
  for (int& value : values) value = next(random);
  return values;
}

// Pairs of halves in [1, 2).
std::vector<int> halves(Random& random, size_t count) {
  std::vector<int> values = integers(random, count / 2, 0, 0x03ff03ff);
  for (int& value : values) value = (value & 0x03ff03ff) | 0x3c003c00;
  return values;
}

// Symmetric tiles of 32 x 32 that have a factor.
std::vector<double> tiles(Random& random, size_t count) {
  std::vector<double> values = reals<double>(random, count * 1024, 0.0, 1.0);
  for (size_t t = 0; t < count; ++t)
    for (size_t r = 0; r < 32; ++r)
      for (size_t c = 0; c <= r; ++c) values[t * 1024 + c * 32 + r] = values[t * 1024 + r * 32 + c] += r == c ? 40 : 0;
  return values;
}

constexpr int sort_groups = 3, sorted = 256 * sort_groups;

// Where the keys of each digit and group go, as radix_pass wants it.
std::vector<int> digit_offsets(const std::vector<int>& keys, int shift) {
  std::vector<int> count(16 * sort_groups);
  for (int i = 0; i < sorted; ++i) ++count[(keys[i] >> shift & 15) * sort_groups + i / 256];
  int sum = 0;
  for (int& entry : count) sum += std::exchange(entry, sum);
  return count;
}

std::vector<int> row_starts(Random& random, int rows) {
  std::vector<int> starts = integers(random, size_t(rows) + 1, 0, 9);
  int sum = 0;
  for (int& entry : starts) sum += std::exchange(entry, sum);
  return starts;
}

const Launch line{{64, 1, 1}, {4, 1, 1}}, plane{{16, 4, 1}, {5, 8, 1}, {}, 2};

std::vector<KernelCase> arithmetic() {
  return {{"blackscholes", "blackscholes", line,
           [](Random& r, Buffers& b) {
             b.floats = {reals(r, 256), reals(r, 256), reals(r, 256), reals(r, 256), reals(r, 256)};
           },
           [](Buffers& b, auto&) {
             Arguments a;
             for (auto& buffer : b.floats) a.buffer(buffer);
             return a.value(0.02f).value(0.3f);
           },
           1e-3f},
          {"bs64", "bs64", line,
           [](Random& r, Buffers& b) {
             for (int i = 0; i < 5; ++i) b.doubles.push_back(reals<double>(r, 256));
           },
           [](Buffers& b, auto&) {
             Arguments a;
             for (auto& buffer : b.doubles) a.buffer(buffer);
             return a.value(0.02).value(0.3);
           },
           1e-9f},
          {"hsaxpy", "hsaxpy", line,
           [](Random& r, Buffers& b) {
             b.ints = {halves(r, 256), halves(r, 256)};
           },
           [](Buffers& b, auto&) { return Arguments().value(1.5f).buffer(b.ints[0]).buffer(b.ints[1]); }},
          {"hsaxpyc", "hsaxpyc", line,
           [](Random& r, Buffers& b) {
             b.ints = {halves(r, 256), halves(r, 256)};
           },
           [](Buffers& b, auto&) { return Arguments().value(1.5f).buffer(b.ints[0]).buffer(b.ints[1]); }},
          {"fft_radix4", "fft_radix4", line,
           [](Random& r, Buffers& b) {
             b.floats = {reals(r, 2048, 1.f, 9.f), std::vector<float>(2048)};
           },
           [](Buffers& b, auto&) { return Arguments().buffer(b.floats[0]).buffer(b.floats[1]).value(4u); }, 1e-2f},
          {"sha256", "sha256", line,
           [](Random& r, Buffers& b) {
             b.ints = {integers(r, 256 * 16, -1 << 30, 1 << 30), std::vector<int>(256 * 8)};
           },
           [](Buffers& b, auto&) { return Arguments().buffer(b.ints[0]).buffer(b.ints[1]); }},
          {"store", "store", line, [](Random&, Buffers& b) { b.ints = {std::vector<int>(256)}; },
           [](Buffers& b, auto&) { return Arguments().buffer(b.ints[0]); }}};
}

std::vector<KernelCase> control_and_grids() {
  return {{"gotos",
           "gotos",
           {{5, 1, 1}, {30, 1, 1}},
           [](Random&, Buffers& b) { b.ints = {std::vector<int>(150)}; },
           [](Buffers& b, auto&) { return Arguments().buffer(b.ints[0]).value(9); }},
          {"spmv_csr", "spmv_csr", line,
           [](Random& r, Buffers& b) {
             b.ints = {row_starts(r, 250)};
             const auto entries = size_t(b.ints[0].back());
             b.ints.push_back(integers(r, entries, 0, 99));
             b.floats = {reals(r, entries), reals(r, 100), std::vector<float>(250)};
           },
           [](Buffers& b, auto&) {
             return Arguments()
                 .buffer(b.ints[0])
                 .buffer(b.ints[1])
                 .buffer(b.floats[0])
                 .buffer(b.floats[1])
                 .buffer(b.floats[2])
                 .value(250u);
           },
           1e-5f},
          {"bilateral", "bilateral", plane,
           [](Random& r, Buffers& b) {
             b.floats = {reals(r, 77 * 31), std::vector<float>(77 * 31)};
           },
           [](Buffers& b, auto&) {
             return Arguments().buffer(b.floats[0]).buffer(b.floats[1]).value(77).value(31).value(.2f).value(3.f);
           },
           1e-4f},
          {"lbm_d2q9", "lbm_d2q9", plane,
           [](Random& r, Buffers& b) {
             b.floats = {reals(r, 9 * 80 * 32), std::vector<float>(9 * 80 * 32)};
           },
           [](Buffers& b, auto&) {
             return Arguments().buffer(b.floats[0]).buffer(b.floats[1]).value(80).value(32).value(.6f);
           },
           1e-3f}};
}

std::vector<KernelCase> groups() {
  return {
      {"layernorm", "layernorm", line,
       [](Random& r, Buffers& b) {
         b.floats = {reals(r, 400), std::vector<float>(400), reals(r, 100), reals(r, 100, 3.f, 4.f)};
       },
       [](Buffers& b, auto&) {
         Arguments a;
         for (auto& buffer : b.floats) a.buffer(buffer);
         return a.value(100u).value(1e-5f);
       },
       1e-2f},
      {"softmax", "softmax", line,
       [](Random& r, Buffers& b) {
         b.floats = {reals(r, 400), std::vector<float>(400)};
       },
       [](Buffers& b, auto& k) {
         return Arguments().buffer(b.floats[0]).buffer(b.floats[1]).local(k.local_bytes, 256).value(100u);
       },
       1e-4f},
      {"cholesky",
       "cholesky",
       {{32, 1, 1}, {3, 1, 1}},
       [](Random& r, Buffers& b) {
         b.doubles = {tiles(r, 3), std::vector<double>(3 * 1024)};
       },
       [](Buffers& b, auto&) { return Arguments().buffer(b.doubles[0]).buffer(b.doubles[1]); },
       1e-9f},
      {"levenshtein",
       "levenshtein",
       {{128, 1, 1}, {3, 1, 1}},
       [](Random& r, Buffers& b) {
         b.ints = {integers(r, 96, 0, 1 << 30), integers(r, 96, 0, 1 << 30), std::vector<int>(3)};
         for (int i : {0, 1})
           for (int& letters : b.ints[i]) letters &= 0x03030303;
       },
       [](Buffers& b, auto&) { return Arguments().buffer(b.ints[0]).buffer(b.ints[1]).buffer(b.ints[2]); }},
      {"radix_pass",
       "radix_pass",
       {{256, 1, 1}, {sort_groups, 1, 1}},
       [](Random& r, Buffers& b) {
         b.ints = {integers(r, sorted, 0, 1 << 30), std::vector<int>(sorted)};
         b.ints.push_back(digit_offsets(b.ints[0], 4));
       },
       [](Buffers& b, auto&) { return Arguments().buffer(b.ints[0]).buffer(b.ints[1]).buffer(b.ints[2]).value(4u); }}};
}

} // namespace

const std::vector<KernelCase>& spirv_cases() {
  static const std::vector<KernelCase> all = [] {
    std::vector<KernelCase> cases = arithmetic();
    for (const auto& more : {control_and_grids(), groups()}) cases.insert(cases.end(), more.begin(), more.end());
    return cases;
  }();
  return all;
}

} // namespace zeroth::aarch64
