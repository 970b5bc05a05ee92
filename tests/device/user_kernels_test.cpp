// Kernels as programs bring them, each against a plain reference on the host.
#include "fixture.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

namespace device_tests {
namespace {

void fill(Array<float>& array, std::uint64_t seed, float low, float high) {
  Random random(seed);
  for (std::size_t i = 0; i < array.size(); ++i) array[i] = random.real(low, high);
}

TEST(UserKernels, Softmax) {
  for (const std::uint32_t columns : {1u, 100u, 1000u}) {
    const std::uint32_t rows = 5, local = 64;
    Array<float> in(rows * columns), out(rows * columns);
    fill(in, 3, -9, 9);
    Kernel("softmax").arguments(in, out, Local{local * sizeof(float)}, columns).run(rows * local, local);
    for (std::uint32_t r = 0; r < rows; ++r) {
      double sum = 0;
      for (std::uint32_t c = 0; c < columns; ++c) sum += std::exp(double(in[r * columns + c]));
      for (std::uint32_t c = 0; c < columns; ++c)
        ASSERT_NEAR(out[r * columns + c], std::exp(double(in[r * columns + c])) / sum, 2e-6) << r << " " << c;
    }
  }
}

TEST(UserKernels, LayerNormalisation) {
  for (const std::uint32_t columns : {7u, 768u}) {
    const std::uint32_t rows = 4, local = 128;
    Array<float> in(rows * columns), out(rows * columns), gamma(columns), beta(columns);
    fill(in, 5, -3, 5);
    fill(gamma, 6, 0.5f, 2);
    fill(beta, 7, -1, 1);
    Kernel("layernorm").arguments(in, out, gamma, beta, columns, 1e-5f).run(rows * local, local);
    for (std::uint32_t r = 0; r < rows; ++r) {
      double sum = 0, squares = 0;
      for (std::uint32_t c = 0; c < columns; ++c) {
        const double v = in[r * columns + c];
        sum += v;
        squares += v * v;
      }
      const double mean = sum / columns, scale = 1 / std::sqrt(squares / columns - mean * mean + 1e-5);
      for (std::uint32_t c = 0; c < columns; ++c)
        ASSERT_NEAR(out[r * columns + c], (in[r * columns + c] - mean) * scale * gamma[c] + beta[c], 1e-4)
            << r << " " << c;
    }
  }
}

TEST(UserKernels, SparseMatrixTimesVector) {
  const std::uint32_t rows = 1000, width = 700;
  Random random(9);
  Array<std::uint32_t> start(rows + 1);
  for (std::uint32_t r = 0; r < rows; ++r) start[r + 1] = start[r] + random.next() % 40;
  Array<std::uint32_t> columns(start[rows] + 1);
  Array<float> values(start[rows] + 1), x(width), y(rows);
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = random.next() % width;
  fill(values, 10, -1, 1);
  fill(x, 11, -1, 1);
  Kernel("spmv_csr").arguments(start, columns, values, x, y, rows).run(1024, 64);
  for (std::uint32_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (std::uint32_t i = start[r]; i < start[r + 1]; ++i) sum += double(values[i]) * x[columns[i]];
    ASSERT_NEAR(y[r], sum, 1e-5) << r;
  }
}

using Complex = std::complex<float>;

TEST(UserKernels, FourierTransformByPassesOfFour) {
  const std::uint32_t n = 1024;
  Array<Complex> a(n), b(n);
  Random random(12);
  std::vector<std::complex<double>> in(n);
  for (std::uint32_t i = 0; i < n; ++i) in[i] = a[i] = Complex(random.real(-1, 1), random.real(-1, 1));
  Kernel kernel("fft_radix4");
  Array<Complex>*from = &a, *to = &b;
  for (std::uint32_t p = 1; p < n; p *= 4) {
    kernel.arguments(*from, *to, p).run(n / 4, 64);
    std::swap(from, to);
  }
  for (std::uint32_t k = 0; k < n; k += 13) {
    std::complex<double> sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) sum += in[i] * std::polar(1.0, -2 * M_PI * double(i * k % n) / n);
    ASSERT_NEAR((*from)[k].real(), sum.real(), 1e-3) << k;
    ASSERT_NEAR((*from)[k].imag(), sum.imag(), 1e-3) << k;
  }
}

TEST(UserKernels, BilateralFilter) {
  const std::int32_t w = 75, h = 33;
  Array<float> in(w * h), out(w * h);
  fill(in, 14, 0, 1);
  Kernel("bilateral").arguments(in, out, w, h, 0.2f, 8.0f).run({80, 36}, {16, 4});
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      double sum = 0, weights = 0;
      for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
          const double v = in[std::clamp(y + dy, 0, h - 1) * w + std::clamp(x + dx, 0, w - 1)], d = v - in[y * w + x];
          const double weight = std::exp(-(dx * dx + dy * dy) * 0.2 - d * d * 8);
          sum += weight * v;
          weights += weight;
        }
      ASSERT_NEAR(out[y * w + x], sum / weights, 1e-5) << x << " " << y;
    }
}

TEST(UserKernels, RadixSortInEightPasses) {
  const std::uint32_t group = 256, groups = 20, n = group * groups;
  Array<std::uint32_t> a(n), b(n), offsets(16 * groups);
  Random random(15);
  for (std::uint32_t i = 0; i < n; ++i) a[i] = random.next() * 2 + (random.next() & 1);
  std::vector<std::uint32_t> expected(a.data(), a.data() + n);
  std::sort(expected.begin(), expected.end());
  Kernel kernel("radix_pass");
  Array<std::uint32_t>*from = &a, *to = &b;
  for (std::uint32_t shift = 0; shift < 32; shift += 4) {
    std::fill_n(offsets.data(), offsets.size(), 0u);
    for (std::uint32_t i = 0; i < n; ++i) ++offsets[((*from)[i] >> shift & 15) * groups + i / group];
    std::exclusive_scan(offsets.data(), offsets.data() + offsets.size(), offsets.data(), 0u);
    kernel.arguments(*from, *to, offsets, shift).run(n, group);
    std::swap(from, to);
  }
  for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ((*from)[i], expected[i]) << i;
}

TEST(UserKernels, LatticeBoltzmannStep) {
  const std::int32_t w = 64, h = 20, n = w * h;
  const int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const double weight[9] = {4 / 9., 1 / 9., 1 / 9., 1 / 9., 1 / 9., 1 / 36., 1 / 36., 1 / 36., 1 / 36.};
  Array<float> f(9 * n), next(9 * n);
  fill(f, 16, 0.05f, 0.2f);
  Kernel("lbm_d2q9").arguments(f, next, w, h, 1.2f).run({w, h}, {16, 4});
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      double v[9], rho = 0, ux = 0, uy = 0;
      for (int i = 0; i < 9; ++i) {
        v[i] = f[i * n + (y - ey[i] + h) % h * w + (x - ex[i] + w) % w];
        rho += v[i];
        ux += ex[i] * v[i];
        uy += ey[i] * v[i];
      }
      ux /= rho;
      uy /= rho;
      for (int i = 0; i < 9; ++i) {
        const double eu = 3 * (ex[i] * ux + ey[i] * uy);
        const double equal = weight[i] * rho * (1 + eu + eu * eu / 2 - 1.5 * (ux * ux + uy * uy));
        ASSERT_NEAR(next[i * n + y * w + x], v[i] + 1.2 * (equal - v[i]), 1e-5) << x << " " << y << " " << i;
      }
    }
}

int edit_distance(const std::uint8_t* a, const std::uint8_t* b, int n) {
  std::vector<int> row(n + 1);
  std::iota(row.begin(), row.end(), 0);
  for (int i = 0; i < n; ++i) {
    int corner = row[0]++;
    for (int j = 0; j < n; ++j) {
      const int value = std::min({row[j + 1] + 1, row[j] + 1, corner + (a[i] != b[j])});
      corner = std::exchange(row[j + 1], value);
    }
  }
  return row[n];
}

TEST(UserKernels, EditDistancesAlongDiagonals) {
  const std::uint32_t n = 128, pairs = 9;
  Array<std::uint8_t> a(pairs * n), b(pairs * n);
  Array<std::int32_t> distance(pairs);
  Random random(18);
  for (std::uint32_t i = 0; i < pairs * n; ++i) {
    a[i] = static_cast<std::uint8_t>('a' + random.next() % 4);
    b[i] = random.next() % 3 ? a[i] : static_cast<std::uint8_t>('a' + random.next() % 4);
  }
  Kernel("levenshtein").arguments(a, b, distance).run(pairs * n, n);
  for (std::uint32_t p = 0; p < pairs; ++p)
    ASSERT_EQ(distance[p], edit_distance(a.data() + p * n, b.data() + p * n, n)) << p;
}

TEST(UserKernels, CholeskyFactorsMultiplyToTheirTile) {
  const std::uint32_t n = 32, tiles = 5;
  Array<double> in(tiles * n * n), out(tiles * n * n);
  Random random(20);
  for (std::uint32_t t = 0; t < tiles; ++t)
    for (std::uint32_t r = 0; r < n; ++r)
      for (std::uint32_t c = 0; c <= r; ++c)
        in[(t * n + r) * n + c] = in[(t * n + c) * n + r] = random.real(0, 1) + (r == c ? n : 0);
  Kernel("cholesky").arguments(in, out).run(tiles * n, n);
  for (std::uint32_t t = 0; t < tiles; ++t)
    for (std::uint32_t r = 0; r < n; ++r)
      for (std::uint32_t c = 0; c < n; ++c) {
        double sum = 0;
        for (std::uint32_t k = 0; k < n; ++k) sum += out[(t * n + r) * n + k] * out[(t * n + c) * n + k];
        ASSERT_NEAR(sum, in[(t * n + r) * n + c], 1e-12 * n) << t << " " << r << " " << c;
      }
}

TEST(UserKernels, Sha256OfOneBlock) {
  const std::uint32_t count = 100;
  Array<std::uint32_t> blocks(count * 16), digests(count * 8);
  for (std::uint32_t i = 0; i < count; ++i) { // the message "abc", padded; the others differ
    blocks[i * 16] = 0x61626380 + (i << 8);
    blocks[i * 16 + 15] = 24;
  }
  Kernel("sha256").arguments(blocks, digests).run(count, 20);
  const std::uint32_t abc[8] = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
  const std::uint32_t abd[8] = {0xa52d159f, 0x262b2c6d, 0xdb724a61, 0x840befc3,
                                0x6eb30c88, 0x877a4030, 0xb65cbe86, 0x298449c9};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(digests[i], abc[i]) << i;
  for (int i = 0; i < 8; ++i) EXPECT_EQ(digests[8 + i], abd[i]) << i;
}

} // namespace
} // namespace device_tests
