#include "suite/cases.hpp"

namespace zeroth::bench {
namespace {

constexpr size_t Mi = size_t(1) << 20;

Buffer zeros(size_t count, size_t element_size = 4) { return {Fill::Zero, count, element_size}; }
Buffer floats(size_t count, double low = 0, double high = 1) { return {Fill::Float, count, 4, low, high}; }
Buffer halves(size_t count) { return {Fill::Half, count, 2, 0, 1}; }
Buffer doubles(size_t count, double low, double high) { return {Fill::Double, count, 8, low, high}; }
Buffer integers(size_t count, double high) { return {Fill::Integer, count, 4, 0, high}; }

Case saxpy(const char* name, size_t n) {
  return {name, "saxpy", {n, 1}, {256, 1}, {0.5f, floats(n), floats(n)}, 2, Output::Float, 12e-9 * double(n), "GB/s"};
}

Case half_saxpy(const char* kernel) {
  const size_t n = 16 * Mi;
  return {kernel, kernel, {n, 1}, {256, 1}, {0.5f, halves(n), halves(n)}, 2, Output::Half, 6e-9 * double(n), "GB/s"};
}

Case sgemm(const char* kernel, std::array<size_t, 2> global, std::array<size_t, 2> local) {
  const int n = 1024;
  const size_t count = size_t(n) * n;
  return {kernel,
          kernel,
          global,
          local,
          {floats(count), floats(count), zeros(count), n, n, n},
          2,
          Output::Float,
          2e-9 * double(count) * n,
          "GFLOP/s"};
}

Case reduce(const char* name, size_t n, size_t items) {
  return {name, "reduce",      {items, 1},       {256, 1}, {floats(n), zeros(items / 256), Local{1024}, uint32_t(n)},
          1,    Output::Float, 4e-9 * double(n), "GB/s"};
}

Case picture(const char* name, const char* kernel, size_t side, std::array<size_t, 2> local) {
  const size_t n = side * side;
  Case result{name, kernel,        {side, side},     local, {floats(n), zeros(n), int32_t(side), int32_t(side)},
              1,    Output::Float, 8e-9 * double(n), "GB/s"};
  if (result.kernel == "stencil5") result.arguments.insert(result.arguments.end(), {0.5f, 0.125f});
  return result;
}

Case of_pictures(const char* name, const char* kernel, bool linear) {
  const size_t side = 2048;
  return {name,
          kernel,
          {side, side},
          {64, 4},
          {Picture{side, true}, Picture{side}, Sampling{linear}},
          1,
          Output::Bytes,
          1e-6 * double(side * side),
          "Mpixel/s"};
}

Case histogram_global(const char* name, uint32_t mask) {
  const size_t n = 4 * Mi;
  return {name, "histg",         {n, 1},           {256, 1}, {integers(n, 4294967296.0), zeros(mask + size_t(1)), mask},
          1,    Output::Integer, 1e-6 * double(n), "Mkey/s"};
}

Case black_scholes() {
  const size_t n = 4 * Mi;
  return {"blackscholes",
          "blackscholes",
          {n, 1},
          {256, 1},
          {zeros(n), zeros(n), floats(n, 5, 30), floats(n, 1, 100), floats(n, 0.25, 10), 0.02f, 0.3f},
          0,
          Output::Float,
          1e-6 * double(n),
          "Mopt/s"};
}

Case black_scholes_double() {
  const size_t n = 2 * Mi;
  return {"bs64",
          "bs64",
          {n, 1},
          {256, 1},
          {zeros(n, 8), zeros(n, 8), doubles(n, 5, 30), doubles(n, 1, 100), doubles(n, 0.25, 10), 0.02, 0.3},
          0,
          Output::Double,
          1e-6 * double(n),
          "Mopt/s"};
}

Case dispatch(const char* name, size_t local) {
  const size_t n = 1 << 16;
  return {name, "store", {n, 1}, {local, 1}, {zeros(n)}, 0, Output::Integer, 1e-6 * double(n / local), "Mgroup/s"};
}

std::vector<Case> make_cases() {
  const size_t m16 = 16 * Mi, m4 = 4 * Mi;
  return {
      saxpy("saxpy 2^24", m16),
      saxpy("saxpy 2^16", 1 << 16),
      {"triad 2^24",
       "triad",
       {m16, 1},
       {256, 1},
       {zeros(m16), floats(m16), floats(m16), 0.5f, uint32_t(m16)},
       0,
       Output::Float,
       12e-9 * double(m16),
       "GB/s"},
      sgemm("sgemm_naive", {1024, 1024}, {16, 16}),
      sgemm("sgemm_tiled", {1024, 1024}, {16, 16}),
      sgemm("sgemm_reg", {1024, 128}, {64, 8}),
      reduce("reduce 2^24/65536", m16, 65536),
      reduce("reduce 2^24/4096", m16, 4096),
      reduce("reduce 2^18/4096", 1 << 18, 4096),
      {"mandelbrot",
       "mandelbrot",
       {2048, 2048},
       {64, 1},
       {zeros(m4), -2.0f, -1.5f, 3.0f / 2048, 3.0f / 2048, uint32_t(256)},
       0,
       Output::Integer,
       1e-6 * double(m4),
       "Mpixel/s"},
      black_scholes(),
      {"nbody",
       "nbody",
       {8192, 1},
       {256, 1},
       {floats(4 * 8192), zeros(4 * 8192), Local{4096}, uint32_t(8192), 0.01f},
       1,
       Output::Float,
       20e-9 * 8192 * 8192,
       "GFLOP/s"},
      {"redbar",
       "redbar",
       {m4 / 64, 1},
       {256, 1},
       {floats(m4), zeros(m4 / 64 / 256), Local{1024}},
       1,
       Output::Float,
       4e-9 * double(m4),
       "GB/s"},
      {"sgred",
       "sgred",
       {65536, 1},
       {256, 1},
       {floats(m16), zeros(65536), uint32_t(m16)},
       1,
       Output::Float,
       4e-9 * double(m16),
       "GB/s"},
      black_scholes_double(),
      half_saxpy("hsaxpy"),
      half_saxpy("hsaxpyc"),
      {"transpose",
       "transpose",
       {2048, 2048},
       {16, 16},
       {floats(m4), zeros(m4), uint32_t(2048), uint32_t(2048)},
       1,
       Output::Float,
       8e-9 * double(m4),
       "GB/s"},
      picture("stencil5 4096", "stencil5", 4096, {64, 4}),
      picture("stencil5 256", "stencil5", 256, {64, 4}),
      picture("sobelb 4096", "sobelb", 4096, {64, 4}),
      picture("sobelb 256", "sobelb", 256, {64, 4}),
      of_pictures("sobel, image", "sobel", false),
      of_pictures("sobel, image, linear", "sobel", true),
      of_pictures("resample, image", "resample", true),
      {"histogram",
       "histogram",
       {65536, 1},
       {256, 1},
       {integers(m16, 4096), zeros(256), uint32_t(m16)},
       1,
       Output::Integer,
       1e-6 * double(m16),
       "Mkey/s"},
      histogram_global("histg 256", 255),
      histogram_global("histg 256K", (1 << 18) - 1),
      {"ctlflow",
       "ctlflow",
       {4096, 1},
       {64, 1},
       {Buffer{Fill::ControlFlow, (4096 + 32) * 64}, zeros(4096), 4096, 64},
       1,
       Output::Integer,
       1e-6 * 4096 * 64,
       "Mstep/s"},
      {"empty", "empty", {1, 1}, {1, 1}, {}, 0, Output::Integer, 1e-6, "Mlaunch/s"},
      dispatch("store, groups of 1", 1),
      dispatch("store, groups of 16", 16),
      dispatch("store, groups of 64", 64),
      dispatch("store, groups of 256", 256),
  };
}

} // namespace

const std::vector<Case>& all_cases() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> made = make_cases();
    add_user_cases(made);
    return made;
  }();
  return cases;
}

} // namespace zeroth::bench
