// Kernels whose work-items work together through local memory and barriers.
#include "fixture.hpp"

#include <cmath>

namespace device_tests {
namespace {

void fill(Array<float>& array, std::uint64_t seed, float low, float high) {
  Random random(seed);
  for (std::size_t i = 0; i < array.size(); ++i) array[i] = random.real(low, high);
}

TEST(Groups, ReduceInEveryGroupSize) {
  for (std::uint32_t local : {1u, 2u, 8u, 64u, 256u, 1024u}) {
    const std::uint32_t groups = 9, n = 50000;
    Array<float> in(n), out(groups);
    for (std::uint32_t i = 0; i < n; ++i) in[i] = static_cast<float>(i % 13);
    Kernel("reduce").arguments(in, out, Local{local * sizeof(float)}, n).run(groups * local, local);
    for (std::uint32_t group = 0; group < groups; ++group) {
      double sum = 0;
      for (std::uint32_t i = 0; i < n; ++i)
        if (i % (groups * local) / local == group) sum += in[i];
      ASSERT_EQ(out[group], sum) << "group " << group << " of " << local;
    }
  }
}

TEST(Groups, ReductionWithABarrierAStep) {
  const std::uint32_t local = 128, groups = 5;
  Array<float> in(groups * 64 * local), out(groups);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 7);
  Kernel("redbar").arguments(in, out, Local{local * sizeof(float)}).run(groups * local, local);
  for (std::uint32_t group = 0; group < groups; ++group) {
    double sum = 0;
    for (std::uint32_t i = 0; i < 64 * local; ++i) sum += in[group * 64 * local + i];
    ASSERT_EQ(out[group], sum) << group;
  }
}

TEST(Groups, HistogramByLocalAtomics) {
  const std::uint32_t n = 40000, bins = 256;
  Array<std::uint32_t> data(n), counts(bins);
  std::vector<std::uint32_t> expected(bins);
  Random random(13);
  for (std::uint32_t i = 0; i < n; ++i) {
    data[i] = random.next() % 0x14000;
    if (data[i] == 0xffff) data[i] = 0;
    if (data[i] < 0x10000) ++expected[data[i] % bins];
  }
  Kernel("histogram").arguments(data, counts, n).run(8 * 64, 64);
  for (std::uint32_t i = 0; i < bins; ++i) ASSERT_EQ(counts[i], expected[i]) << i;
}

TEST(Groups, SumFloatsByExchange) {
  const std::uint32_t n = 2000;
  Array<float> in(n), sum(1);
  float expected = 0;
  for (std::uint32_t i = 0; i < n; ++i) expected += in[i] = static_cast<float>(i % 29);
  Kernel("float_exchange").arguments(in, sum).run(n, 50);
  EXPECT_EQ(sum[0], expected) << "whole numbers: no order matters";
}

TEST(Groups, CopyTilesInAndOutAsynchronously) {
  for (std::uint32_t local : {1u, 7u, 64u, 100u}) {
    const std::uint32_t groups = 5;
    Array<int> in(groups * local), out(groups * local);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * i % 1009);
    Kernel("async_copies", "async_tile").arguments(in, out, Local{local * sizeof(int)}).run(groups * local, local);
    for (std::uint32_t i = 0; i < in.size(); ++i)
      ASSERT_EQ(out[i], in[i / local * local + local - 1 - i % local] * 3) << i << " in groups of " << local;
  }
}

struct Float2 {
  float x, y;
};

TEST(Groups, CopyColumnsAsynchronouslyWithStrides) {
  const std::uint32_t rows = 150, columns = 6;
  for (std::uint32_t local : {1u, 13u, 64u}) {
    Array<Float2> in(rows * columns), out(rows * columns);
    for (std::uint32_t i = 0; i < rows * columns; ++i) in[i] = {static_cast<float>(i), static_cast<float>(i % 11)};
    Kernel("async_copies", "async_columns")
        .arguments(in, out, rows, Local{128 * sizeof(Float2)})
        .run(columns * local, local);
    for (std::uint32_t i = 0; i < rows * columns; ++i) {
      const std::uint32_t next_column = (i % columns + 1) % columns;
      const Float2& other = in[i / columns * columns + next_column];
      ASSERT_EQ(out[i].x, in[i].x + other.y) << i << " in groups of " << local;
      ASSERT_EQ(out[i].y, in[i].y + other.x) << i << " in groups of " << local;
    }
  }
}

struct Float4 {
  float x, y, z, w;
};

TEST(Groups, NBody) {
  const std::uint32_t n = 512, local = 64;
  const float eps = 0.01f;
  Array<Float4> position(n), acceleration(n);
  Random random(17);
  for (std::uint32_t i = 0; i < n; ++i)
    position[i] = {random.real(-1, 1), random.real(-1, 1), random.real(-1, 1), random.real(0.1f, 1)};
  Kernel("nbody").arguments(position, acceleration, Local{local * sizeof(Float4)}, n, eps).run(n, local);
  for (std::uint32_t i = 0; i < n; i += 37) {
    double a[3] = {};
    for (std::uint32_t j = 0; j < n; ++j) {
      const double d[3] = {position[j].x - position[i].x, position[j].y - position[i].y, position[j].z - position[i].z};
      const double inverse = 1 / std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + eps);
      for (int k = 0; k < 3; ++k) a[k] += d[k] * position[j].w * inverse * inverse * inverse;
    }
    const double scale = std::abs(a[0]) + std::abs(a[1]) + std::abs(a[2]) + 1;
    ASSERT_NEAR(acceleration[i].x, a[0], 1e-4 * scale) << i;
    ASSERT_NEAR(acceleration[i].y, a[1], 1e-4 * scale) << i;
    ASSERT_NEAR(acceleration[i].z, a[2], 1e-4 * scale) << i;
    ASSERT_EQ(acceleration[i].w, 0.0f) << i;
  }
}

void test_product(const char* kernel, int size, std::pair<std::uint32_t, std::uint32_t> global,
                  std::pair<std::uint32_t, std::uint32_t> local) {
  const auto n = static_cast<std::size_t>(size);
  Array<float> a(n * n), b(n * n), c(n * n);
  fill(a, 19, -1, 1);
  fill(b, 23, -1, 1);
  Kernel(kernel).arguments(a, b, c, size, size, size).run(global, local);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t col = 0; col < n; ++col) {
      float sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum = std::fma(a[row * n + k], b[k * n + col], sum);
      ASSERT_FLOAT_EQ(c[row * n + col], sum) << kernel << ' ' << row << ',' << col;
    }
}

TEST(Groups, TiledMatrixProduct) { test_product("sgemm_tiled", 64, {64, 64}, {16, 16}); }
TEST(Groups, RegisterBlockedMatrixProduct) { test_product("sgemm_reg", 128, {128, 16}, {64, 8}); }

TEST(Groups, Transpose) {
  const std::uint32_t w = 96, h = 64;
  Array<float> in(w * h), out(w * h);
  for (std::uint32_t i = 0; i < w * h; ++i) in[i] = static_cast<float>(i);
  Kernel("transpose").arguments(in, out, w, h).run({w, h}, {16, 16});
  for (std::uint32_t y = 0; y < h; ++y)
    for (std::uint32_t x = 0; x < w; ++x) ASSERT_EQ(out[x * h + y], in[y * w + x]) << x << ',' << y;
}

} // namespace
} // namespace device_tests
