// Plain loops, left to the compiler of this file.
#include "suite/host_kernels.hpp"

#include <cmath>
#include <map>

namespace zeroth::bench {
namespace {

constexpr size_t Piece = 1024;
size_t line_pieces(const HostArguments& a) { return a.width / Piece; }
size_t rows(const HostArguments& a) { return a.height; }

void saxpy(const HostArguments& a, size_t first, size_t end) {
  const float factor = a.number(0);
  const float* __restrict x = a.f(1);
  float* __restrict y = a.f(2);
  for (size_t i = first * Piece; i < end * Piece; ++i) y[i] = factor * x[i] + y[i];
}

void triad(const HostArguments& a, size_t first, size_t end) {
  const float factor = a.number(3);
  float* __restrict out = a.f(0);
  const float* __restrict b = a.f(1), * __restrict c = a.f(2);
  for (size_t i = first * Piece; i < end * Piece; ++i) out[i] = b[i] + factor * c[i];
}

void mandelbrot(const HostArguments& a, size_t first, size_t end) {
  const auto most = uint32_t(a.numbers[5]);
  for (size_t py = first; py < end; ++py)
    for (size_t px = 0; px < a.width; ++px) {
      const float cx = a.number(1) + float(px) * a.number(3), cy = a.number(2) + float(py) * a.number(4);
      float x = 0, y = 0;
      uint32_t count = 0;
      for (; count < most && x * x + y * y <= 4.0f; ++count) {
        const float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
      }
      a.u(0)[py * a.width + px] = count;
    }
}

void stencil5(const HostArguments& a, size_t first, size_t end) {
  const float c0 = a.number(4), c1 = a.number(5);
  const float* __restrict in = a.f(0);
  float* __restrict out = a.f(1);
  const size_t w = a.width;
  for (size_t y = first ? first : 1; y < end && y < a.height - 1; ++y)
    for (size_t i = y * w + 1; i < y * w + w - 1; ++i)
      out[i] = c0 * in[i] + c1 * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w]);
}

void sobelb(const HostArguments& a, size_t first, size_t end) {
  const float* __restrict in = a.f(0);
  float* __restrict out = a.f(1);
  const size_t w = a.width;
  for (size_t y = first ? first : 1; y < end && y < a.height - 1; ++y)
    for (size_t i = y * w + 1; i < y * w + w - 1; ++i) {
      const float gx = in[i - w + 1] + 2 * in[i + 1] + in[i + w + 1] - in[i - w - 1] - 2 * in[i - 1] - in[i + w - 1];
      const float gy = in[i + w - 1] + 2 * in[i + w] + in[i + w + 1] - in[i - w - 1] - 2 * in[i - w] - in[i - w + 1];
      out[i] = std::sqrt(gx * gx + gy * gy);
    }
}

const std::map<std::string, HostKernel> kernels = {
    {"saxpy", {line_pieces, saxpy}}, {"triad", {line_pieces, triad}}, {"mandelbrot", {rows, mandelbrot}},
    {"stencil5", {rows, stencil5}},  {"sobelb", {rows, sobelb}},
};

} // namespace

const HostKernel* find_loop_kernel(const std::string& kernel) {
  const auto found = kernels.find(kernel);
  return found == kernels.end() ? nullptr : &found->second;
}

} // namespace zeroth::bench
