// Kernels without work-group co-operation, against scalar references: results of plain arithmetic are exact, those of
// built-ins within what OpenCL allows.
#include "fixture.hpp"

#include <cmath>
#include <cstring>

namespace device_tests {
namespace {

void fill(Array<float>& array, std::uint64_t seed, float low, float high) {
  Random random(seed);
  for (std::size_t i = 0; i < array.size(); ++i) array[i] = random.real(low, high);
}

TEST(Kernels, Saxpy) {
  for (std::uint32_t local : {1u, 7u, 64u, 256u}) {
    const std::uint32_t n = local * 1000;
    Array<float> x(n), y(n);
    fill(x, 1, -10, 10);
    fill(y, 2, -10, 10);
    std::vector<float> before(y.data(), y.data() + n);
    Kernel("saxpy").arguments(2.5f, x, y).run(n, local);
    for (std::uint32_t i = 0; i < n; ++i) ASSERT_NEAR(y[i], 2.5f * x[i] + before[i], 1e-4) << i;
  }
}

TEST(Kernels, TriadRespectsItsBound) {
  const std::uint32_t n = 10001, global = 10240;
  Array<float> a(global), b(global), c(global);
  fill(b, 1, -5, 5);
  fill(c, 2, -5, 5);
  Kernel("triad").arguments(a, b, c, 3.0f, n).run(global, 256);
  for (std::uint32_t i = 0; i < n; ++i) ASSERT_NEAR(a[i], b[i] + 3.0f * c[i], 1e-4) << i;
  for (std::uint32_t i = n; i < global; ++i) ASSERT_EQ(a[i], 0.0f) << i;
}

std::uint32_t mandelbrot(float cx, float cy, std::uint32_t most) {
  float x = 0, y = 0;
  std::uint32_t it = 0;
  for (; it < most; ++it) {
    const float x2 = x * x, y2 = y * y;
    if (x2 + y2 > 4.0f) break;
    y = 2.0f * x * y + cy;
    x = x2 - y2 + cx;
  }
  return it;
}

// Contraction of a*b+c may move single pixels of the border.
TEST(Kernels, Mandelbrot) {
  const std::uint32_t w = 256, h = 128, most = 200;
  const float x0 = -2, y0 = -1, dx = 3.0f / w, dy = 2.0f / h;
  Array<std::uint32_t> out(w * h);
  Kernel("mandelbrot").arguments(out, x0, y0, dx, dy, most).run({w, h}, {64, 1});
  std::uint32_t different = 0;
  for (std::uint32_t y = 0; y < h; ++y)
    for (std::uint32_t x = 0; x < w; ++x) {
      const auto expected = mandelbrot(x0 + static_cast<float>(x) * dx, y0 + static_cast<float>(y) * dy, most);
      different += out[y * w + x] != expected;
    }
  EXPECT_LT(different, w * h / 100);
}

template <class T> struct Option { T call, put; };
template <class T> Option<T> black_scholes(T s, T x, T t, T r, T v) {
  auto cnd = [](T d) { return T(0.5) * (T(1) + std::erf(d * T(0.70710678118654752))); };
  const T sq = std::sqrt(t), d1 = (std::log(s / x) + (r + T(0.5) * v * v) * t) / (v * sq), d2 = d1 - v * sq;
  const T e = std::exp(-r * t);
  return {s * cnd(d1) - x * e * cnd(d2), x * e * (1 - cnd(d2)) - s * (1 - cnd(d1))};
}

template <class T> void test_black_scholes(const char* kernel, T tolerance) {
  const std::uint32_t n = 4096;
  Array<T> call(n), put(n), s(n), x(n), t(n);
  Random random(3);
  for (std::uint32_t i = 0; i < n; ++i) {
    s[i] = random.real(5, 30), x[i] = random.real(1, 100), t[i] = random.real(0.25, 10);
  }
  Kernel(kernel).arguments(call, put, s, x, t, T(0.02), T(0.3)).run(n, 256);
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto expected = black_scholes<double>(s[i], x[i], t[i], T(0.02), T(0.3));
    ASSERT_NEAR(call[i], expected.call, tolerance) << i;
    ASSERT_NEAR(put[i], expected.put, tolerance) << i;
  }
}

TEST(Kernels, BlackScholes) { test_black_scholes<float>("blackscholes", 2e-4f); }
TEST(Kernels, BlackScholesDouble) { test_black_scholes<double>("bs64", 1e-12); }

// The reference of the kernel's own control flow.
int control_flow(const Array<int>& in, int g, int m, int before) {
  int acc = 0;
  for (int i = 0; i < m; ++i) {
    const int v = in[static_cast<std::size_t>(g * m + i)];
    if (v < 0) continue;
    if (v == 7) return -1;
    bool next = false;
    for (int j = 0; j < v && !next; ++j) {
      const int w = in[static_cast<std::size_t>((g + j) * m + i)];
      switch (w & 7) {
      case 0:
        acc += w;
        break;
      case 1:
        acc ^= j;
        [[fallthrough]];
      case 2:
        acc -= 3;
        break;
      case 3:
        next = true;
        continue;
      case 4:
        return acc;
      default:
        acc += 1;
      }
      if (acc > 1000) return acc;
      if (w == 9) break;
    }
    acc = static_cast<int>(static_cast<unsigned>(acc) * 3u);
  }
  static_cast<void>(before);
  return acc;
}

TEST(Kernels, NestedControlFlow) {
  const int n = 1000, m = 24, global = 1024;
  Array<int> in(static_cast<std::size_t>((global + 16) * m)), out(global);
  Random random(5);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(random.next() % 12) - 1;
  Kernel("ctlflow").arguments(in, out, n, m).run(global, 64);
  for (int g = 0; g < n; ++g) ASSERT_EQ(out[static_cast<std::size_t>(g)], control_flow(in, g, m, 0)) << g;
  for (int g = n; g < global; ++g) ASSERT_EQ(out[static_cast<std::size_t>(g)], 0) << g;
}

_Float16 half_of(float value) { return static_cast<_Float16>(value); }

TEST(Kernels, SaxpyOfHalves) {
  for (const char* kernel : {"hsaxpy", "hsaxpyc"}) {
    const std::uint32_t n = 4096;
    Array<_Float16> x(n), y(n);
    Random random(7);
    for (std::uint32_t i = 0; i < n; ++i) x[i] = half_of(random.real(-4, 4)), y[i] = half_of(random.real(-4, 4));
    std::vector<_Float16> before(y.data(), y.data() + n);
    Kernel(kernel).arguments(1.5f, x, y).run(n, 128);
    for (std::uint32_t i = 0; i < n; ++i)
      ASSERT_NEAR(static_cast<float>(y[i]), 1.5f * static_cast<float>(x[i]) + static_cast<float>(before[i]), 0.02f)
          << kernel << ' ' << i;
  }
}

TEST(Kernels, StencilAndSobelLeaveTheBorder) {
  const std::uint32_t w = 128, h = 64;
  Array<float> in(w * h), stencil(w * h), sobel(w * h);
  fill(in, 9, 0, 1);
  const int iw = w, ih = h;
  Kernel("stencil5").arguments(in, stencil, iw, ih, 0.5f, 0.125f).run({w, h}, {64, 4});
  Kernel("sobelb").arguments(in, sobel, iw, ih).run({w, h}, {16, 16});
  for (std::uint32_t y = 0; y < h; ++y)
    for (std::uint32_t x = 0; x < w; ++x) {
      const std::uint32_t i = y * w + x;
      if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) {
        ASSERT_EQ(stencil[i], 0.0f);
        ASSERT_EQ(sobel[i], 0.0f);
        continue;
      }
      ASSERT_NEAR(stencil[i], 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w]), 1e-5f);
      const float gx = in[i - w + 1] + 2 * in[i + 1] + in[i + w + 1] - in[i - w - 1] - 2 * in[i - 1] - in[i + w - 1];
      const float gy = in[i + w - 1] + 2 * in[i + w] + in[i + w + 1] - in[i - w - 1] - 2 * in[i - w] - in[i - w + 1];
      ASSERT_NEAR(sobel[i], std::sqrt(gx * gx + gy * gy), 1e-4f);
    }
}

TEST(Kernels, HistogramByGlobalAtomics) {
  const std::uint32_t n = 1 << 16, mask = 255;
  Array<std::uint32_t> data(n), counts(mask + 1);
  std::vector<std::uint32_t> expected(mask + 1);
  Random random(11);
  for (std::uint32_t i = 0; i < n; ++i) data[i] = random.next(), ++expected[data[i] & mask];
  Kernel("histg").arguments(data, counts, mask).run(n, 256);
  for (std::uint32_t i = 0; i <= mask; ++i) ASSERT_EQ(counts[i], expected[i]) << i;
}

TEST(Kernels, NaiveMatrixProduct) {
  const int m = 40, n = 50, k = 30;
  Array<float> a(m * k), b(k * n), c(m * n);
  fill(a, 1, -1, 1);
  fill(b, 2, -1, 1);
  Kernel("sgemm_naive").arguments(a, b, c, m, n, k).run({64, 48}, {16, 16});
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      float sum = 0;
      for (int i = 0; i < k; ++i)
        sum = std::fma(a[static_cast<std::size_t>(row * k + i)], b[static_cast<std::size_t>(i * n + col)], sum);
      ASSERT_FLOAT_EQ(c[static_cast<std::size_t>(row * n + col)], sum) << row << ',' << col;
    }
}

} // namespace
} // namespace device_tests
