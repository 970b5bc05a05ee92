// Kernels as programs bring them.
#include "suite/cases.hpp"

namespace zeroth::bench {
namespace {

Buffer zeros(size_t count, size_t element_size = 4) { return {Fill::Zero, count, element_size}; }
Buffer floats(size_t count, double low = 0, double high = 1) { return {Fill::Float, count, 4, low, high}; }
Buffer integers(size_t count, double high) { return {Fill::Integer, count, 4, 0, high}; }

Case row_kernel(const char* kernel, size_t rows, size_t columns, std::vector<Argument> arguments) {
  return {
      kernel, kernel, {rows * 256, 1}, {256, 1}, std::move(arguments), 1, Output::Float, 8e-9 * double(rows * columns),
      "GB/s"};
}

Case sparse_product() {
  const size_t rows = 1 << 17, mean = 16;
  return {"spmv_csr",
          "spmv_csr",
          {rows, 1},
          {128, 1},
          {Buffer{Fill::RowStart, rows + 1, 4, 0, 2 * mean + 1}, integers(rows * 2 * mean, double(rows)),
           floats(rows * 2 * mean), floats(rows), zeros(rows), uint32_t(rows)},
          4,
          Output::Float,
          2e-9 * double(rows * mean),
          "GFLOP/s"};
}

Case fourier_pass() {
  const size_t n = 1 << 20;
  return {"fft_radix4",  "fft_radix4",      {n / 4, 1}, {256, 1}, {floats(2 * n), zeros(2 * n), uint32_t(64)}, 1,
          Output::Float, 16e-9 * double(n), "GB/s"};
}

Case bilateral() {
  const size_t side = 1024, n = side * side;
  return {"bilateral",
          "bilateral",
          {side, side},
          {16, 16},
          {floats(n), zeros(n), int32_t(side), int32_t(side), 0.2f, 8.0f},
          1,
          Output::Float,
          1e-6 * double(n),
          "Mpixel/s"};
}

Case radix_pass() {
  const size_t n = 1 << 18;
  return {"radix_pass",
          "radix_pass",
          {n, 1},
          {256, 1},
          {integers(n, 4294967296.0), zeros(16 * n), Buffer{Fill::Multiples, n / 16, 4, 0, 256}, uint32_t(8)},
          1,
          Output::Integer,
          1e-6 * double(n),
          "Mkey/s"};
}

Case lattice_boltzmann() {
  const size_t side = 512, n = side * side;
  return {"lbm_d2q9",
          "lbm_d2q9",
          {side, side},
          {32, 8},
          {floats(9 * n, 0.05, 0.2), zeros(9 * n), int32_t(side), int32_t(side), 1.2f},
          1,
          Output::Float,
          1e-6 * double(n),
          "Mcell/s"};
}

Case edit_distance() {
  const size_t length = 128, pairs = 512;
  const Buffer text{Fill::Letters, pairs * length, 1};
  return {"levenshtein",
          "levenshtein",
          {pairs * length, 1},
          {length, 1},
          {text, text, zeros(pairs)},
          2,
          Output::Integer,
          1e-6 * double(pairs * length * length),
          "Mcell/s"};
}

Case cholesky() {
  const size_t size = 32, tiles = 512;
  return {"cholesky",
          "cholesky",
          {tiles * size, 1},
          {size, 1},
          {Buffer{Fill::Tiles, tiles * size * size, 8, 0, double(size)}, zeros(tiles * size * size, 8)},
          1,
          Output::Double,
          1e-9 * double(tiles * size * size * size) / 3,
          "GFLOP/s"};
}

Case sha256() {
  const size_t n = 1 << 16;
  return {"sha256", "sha256",        {n, 1},           {64, 1},   {integers(16 * n, 4294967296.0), zeros(8 * n)},
          1,        Output::Integer, 1e-6 * double(n), "Mblock/s"};
}

} // namespace

void add_user_cases(std::vector<Case>& cases) {
  const size_t rows = 1024, columns = 1024;
  cases.push_back(row_kernel("softmax", rows, columns,
                             {floats(rows * columns, -9, 9), zeros(rows * columns), Local{1024}, uint32_t(columns)}));
  cases.push_back(row_kernel(
      "layernorm", rows, columns,
      {floats(rows * columns), zeros(rows * columns), floats(columns), floats(columns), uint32_t(columns), 1e-5f}));
  for (auto make :
       {sparse_product, fourier_pass, bilateral, radix_pass, lattice_boltzmann, edit_distance, cholesky, sha256})
    cases.push_back(make());
}

} // namespace zeroth::bench
