// 16 lanes in vector extensions, several vectors side by side.
#include "suite/host_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace zeroth::bench {
namespace {

constexpr size_t Lanes = 16;
typedef float Vector __attribute__((vector_size(64)));
typedef float Loose __attribute__((vector_size(64), aligned(4), may_alias));
typedef int Ints __attribute__((vector_size(64)));
typedef int LooseInts __attribute__((vector_size(64), aligned(4), may_alias));

Vector load(const float* at) { return *reinterpret_cast<const Loose*>(at); }
void store(float* at, Vector v) { *reinterpret_cast<Loose*>(at) = v; }
Vector all(float v) { return v - Vector{}; }
Vector root(Vector v) {
  for (size_t l = 0; l < Lanes; ++l) v[l] = std::sqrt(v[l]);
  return v;
}
bool none(Ints v) {
  typedef long long Halves __attribute__((vector_size(64)));
  const auto halves = reinterpret_cast<Halves>(v);
  long long any = 0;
  for (size_t l = 0; l < 8; ++l) any |= halves[l];
  return any == 0;
}
float sum(Vector v) {
  float total = 0;
  for (size_t l = 0; l < Lanes; ++l) total += v[l];
  return total;
}

constexpr size_t Piece = 1024; // work-items of one-dimensional kernels
size_t line_pieces(const HostArguments& a) { return a.width / Piece; }
size_t rows(const HostArguments& a) { return a.height; }

void saxpy(const HostArguments& a, size_t first, size_t end) {
  const Vector factor = all(a.number(0));
  const float* x = a.f(1);
  float* y = a.f(2);
  for (size_t i = first * Piece; i < end * Piece; i += 4 * Lanes)
    for (size_t k = 0; k < 4 * Lanes; k += Lanes) store(y + i + k, factor * load(x + i + k) + load(y + i + k));
}

void triad(const HostArguments& a, size_t first, size_t end) {
  const Vector factor = all(a.number(3));
  for (size_t i = first * Piece; i < end * Piece; i += 4 * Lanes)
    for (size_t k = 0; k < 4 * Lanes; k += Lanes)
      store(a.f(0) + i + k, load(a.f(1) + i + k) + factor * load(a.f(2) + i + k));
}

// Four vectors side by side until the last of their lanes has left.
void mandelbrot(const HostArguments& a, size_t first, size_t end) {
  constexpr size_t Side = 4;
  const int most = int(a.numbers[5]);
  for (size_t py = first; py < end; ++py)
    for (size_t px = 0; px < a.width; px += Side * Lanes) {
      Vector cx[Side], x[Side] = {}, y[Side] = {};
      Ints count[Side] = {}, live[Side];
      const Vector cy = all(a.number(2) + float(py) * a.number(4));
      for (size_t s = 0; s < Side; ++s) {
        for (size_t l = 0; l < Lanes; ++l) cx[s][l] = a.number(1) + float(px + s * Lanes + l) * a.number(3);
        live[s] = Ints{} - 1;
      }
      for (int i = 0; i < most; ++i) {
        Ints any = {};
        for (size_t s = 0; s < Side; ++s) {
          const Vector x2 = x[s] * x[s], y2 = y[s] * y[s];
          live[s] &= x2 + y2 <= 4.0f;
          count[s] -= live[s];
          any |= live[s];
          y[s] = 2.0f * x[s] * y[s] + cy;
          x[s] = x2 - y2 + cx[s];
        }
        if (none(any)) break;
      }
      for (size_t s = 0; s < Side; ++s)
        *reinterpret_cast<LooseInts*>(a.u(0) + py * a.width + px + s * Lanes) = count[s];
    }
}

template <class Row> void inner_rows(const HostArguments& a, size_t first, size_t end, Row row) {
  for (size_t y = std::max<size_t>(first, 1); y < std::min(end, a.height - 1); ++y) {
    size_t x = 1;
    for (; x + Lanes <= a.width - 1; x += Lanes) row(y * a.width + x);
    if (x < a.width - 1) row(y * a.width + a.width - 1 - Lanes);
  }
}

void stencil5(const HostArguments& a, size_t first, size_t end) {
  const Vector c0 = all(a.number(4)), c1 = all(a.number(5));
  const float* in = a.f(0);
  const size_t w = a.width;
  inner_rows(a, first, end, [&](size_t i) {
    store(a.f(1) + i,
          c0 * load(in + i) + c1 * (load(in + i - 1) + load(in + i + 1) + load(in + i - w) + load(in + i + w)));
  });
}

void sobelb(const HostArguments& a, size_t first, size_t end) {
  const float* in = a.f(0);
  const size_t w = a.width;
  inner_rows(a, first, end, [&](size_t i) {
    const Vector nw = load(in + i - w - 1), n = load(in + i - w), ne = load(in + i - w + 1), e = load(in + i + 1);
    const Vector sw = load(in + i + w - 1), s = load(in + i + w), se = load(in + i + w + 1), v = load(in + i - 1);
    const Vector gx = ne + 2 * e + se - nw - 2 * v - sw, gy = sw + 2 * s + se - nw - 2 * n - ne;
    store(a.f(1) + i, root(gx * gx + gy * gy));
  });
}

size_t groups_of_256(const HostArguments& a) { return a.width / 256; }

void reduce(const HostArguments& a, size_t first, size_t end) {
  const auto n = size_t(a.numbers[3]);
  for (size_t group = first; group < end; ++group) {
    Vector total[4] = {};
    for (size_t part = 0; part < 256; part += 4 * Lanes)
      for (size_t i = group * 256 + part; i < n; i += a.width)
        for (size_t s = 0; s < 4; ++s) total[s] += load(a.f(0) + i + s * Lanes);
    a.f(1)[group] = sum((total[0] + total[1]) + (total[2] + total[3]));
  }
}

size_t bodies(const HostArguments& a) { return a.width / (2 * Lanes); }

void nbody(const HostArguments& a, size_t first, size_t end) {
  const auto n = size_t(a.numbers[3]);
  const float *p = a.f(0), eps = a.number(4);
  for (size_t block = first; block < end; ++block) {
    Vector x[2], y[2], z[2], ax[2] = {}, ay[2] = {}, az[2] = {};
    for (size_t s = 0; s < 2; ++s)
      for (size_t l = 0; l < Lanes; ++l) {
        const float* at = p + 4 * ((block * 2 + s) * Lanes + l);
        x[s][l] = at[0], y[s][l] = at[1], z[s][l] = at[2];
      }
    for (size_t j = 0; j < n; ++j)
      for (size_t s = 0; s < 2; ++s) {
        const Vector dx = p[4 * j] - x[s], dy = p[4 * j + 1] - y[s], dz = p[4 * j + 2] - z[s];
        const Vector inverse = 1.0f / root(dx * dx + dy * dy + dz * dz + eps);
        const Vector scale = p[4 * j + 3] * inverse * inverse * inverse;
        ax[s] += dx * scale, ay[s] += dy * scale, az[s] += dz * scale;
      }
    for (size_t s = 0; s < 2; ++s)
      for (size_t l = 0; l < Lanes; ++l) {
        float* at = a.f(1) + 4 * ((block * 2 + s) * Lanes + l);
        at[0] = ax[s][l], at[1] = ay[s][l], at[2] = az[s][l], at[3] = 0;
      }
  }
}

const std::map<std::string, HostKernel> kernels = {
    {"saxpy", {line_pieces, saxpy}}, {"triad", {line_pieces, triad}}, {"mandelbrot", {rows, mandelbrot}},
    {"stencil5", {rows, stencil5}},  {"sobelb", {rows, sobelb}},      {"reduce", {groups_of_256, reduce}},
    {"nbody", {bodies, nbody}},
};

} // namespace

const HostKernel* find_hand_kernel(const std::string& kernel) {
  const auto found = kernels.find(kernel);
  return found == kernels.end() ? nullptr : &found->second;
}

} // namespace zeroth::bench
