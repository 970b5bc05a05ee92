// Figures of single kernels: two threads (or $ZEROTH_MEASURE_THREADS), groups split evenly. No device, no launch cost.
//   zeroth-measure-kernels [name part] [width]
#include "test_program.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <random>
#include <thread>

#include <time.h>

namespace zeroth::codegen::testing {
namespace {

unsigned threads() {
  const char* text = std::getenv("ZEROTH_MEASURE_THREADS");
  return text ? unsigned(std::atoi(text)) : 2;
}

const unsigned Threads = threads();

// Two threads that spin between runs.
class Pool {
public:
  Pool() : helper_([this] { serve(); }) {}
  ~Pool() {
    work_ = nullptr;
    ++ticket_;
    helper_.join();
  }
  void run(const std::function<void(unsigned)>& work) {
    work_ = &work;
    ++ticket_;
    work(0);
    if (Threads > 1)
      while (done_.load() != ticket_.load()) __builtin_ia32_pause();
  }

private:
  void serve() {
    for (uint64_t seen = 0;;) {
      while (ticket_.load() == seen) __builtin_ia32_pause();
      seen = ticket_.load();
      if (!work_) return;
      if (Threads > 1) (*work_)(1);
      done_ = seen;
    }
  }
  const std::function<void(unsigned)>* work_ = nullptr;
  std::atomic<uint64_t> ticket_{0}, done_{0};
  std::thread helper_;
};

struct Row {
  const char* name;
  const char* file;
  const char* kernel;
  Launch launch;
  double amount; // of the unit, times 1e9, per run
  const char* unit;
  double goal;
  std::function<void(std::vector<std::vector<float>>&)> fill;
  std::function<Arguments(std::vector<std::vector<float>>&, const KernelCode&)> arguments;
};

using Data = std::vector<std::vector<float>>;

std::vector<float> values(size_t count) {
  std::vector<float> v(count);
  for (size_t i = 0; i < count; ++i) v[i] = 0.5f + float(i * 7919 % 1000) / 1000.f;
  return v;
}

void* address(std::vector<float>& v) { return v.data(); }

std::vector<Row> rows() {
  auto two = [](size_t n) { return [n](Data& d) { d = {values(n), values(n)}; }; };
  auto three = [](size_t n) { return [n](Data& d) { d = {values(n), values(n), values(n)}; }; };
  auto saxpy = [](Data& d, const KernelCode&) { return Arguments().value(1.0001f).buffer(d[0]).buffer(d[1]); };
  auto gemm = [](Data& d, const KernelCode&) {
    return Arguments().buffer(d[0]).buffer(d[1]).buffer(d[2]).value(1024).value(1024).value(1024);
  };
  auto reduce = [](uint32_t n) {
    return [n](Data& d, const KernelCode& k) {
      return Arguments().buffer(d[0]).buffer(d[1]).local(k.local_bytes, 1024).value(n);
    };
  };
  auto stencil = [](int n) {
    return [n](Data& d, const KernelCode&) {
      return Arguments().buffer(d[0]).buffer(d[1]).value(n).value(n).value(.5f).value(.1f);
    };
  };
  auto sobel = [](int n) {
    return [n](Data& d, const KernelCode&) { return Arguments().buffer(d[0]).buffer(d[1]).value(n).value(n); };
  };
  auto group1 = [](uint32_t local, uint32_t global) { return Launch{{local, 1, 1}, {global / local, 1, 1}, {}, 1}; };
  auto group2 = [](uint32_t lx, uint32_t ly, uint32_t x, uint32_t y) {
    return Launch{{lx, ly, 1}, {x / lx, y / ly, 1}, {}, 2};
  };
  double flop = 2.0 * 1024 * 1024 * 1024 / 1e9;
  return {
      {"saxpy 2^24", "saxpy", "saxpy", group1(256, 1 << 24), 12e-9 * (1 << 24), "GB/s", 76, two(1 << 24), saxpy},
      {"saxpy 2^16", "saxpy", "saxpy", group1(256, 1 << 16), 12e-9 * (1 << 16), "GB/s", 200, two(1 << 16), saxpy},
      {"triad 2^24", "triad", "triad", group1(256, 1 << 24), 12e-9 * (1 << 24), "GB/s", 28, three(1 << 24),
       [](Data& d, const KernelCode&) {
         return Arguments().buffer(d[0]).buffer(d[1]).buffer(d[2]).value(3.f).value(1u << 24);
       }},
      {"saxpy on half", "hsaxpy", "hsaxpy", group1(256, 1 << 20), 6e-9 * (1 << 20), "GB/s", 75, two(1 << 19), saxpy},
      {"mandelbrot 2048", "mandelbrot", "mandelbrot", group2(64, 1, 2048, 2048), 0, "GFLOP/s", 85,
       [](Data& d) { d = {values(2048 * 2048)}; },
       [](Data& d, const KernelCode&) {
         return Arguments()
             .value(address(d[0]))
             .value(-2.f)
             .value(-1.25f)
             .value(2.5f / 2048)
             .value(2.5f / 2048)
             .value(256u);
       }},
      {"black-scholes 2^22", "blackscholes", "blackscholes", group1(256, 1 << 22), 1e-3 * (1 << 22) / 1e3 / 1e3,
       "Gopt/s", 1.0,
       [](Data& d) {
         d = {values(1 << 22), values(1 << 22), values(1 << 22), values(1 << 22), values(1 << 22)};
       },
       [](Data& d, const KernelCode&) {
         return Arguments().buffer(d[0]).buffer(d[1]).buffer(d[2]).buffer(d[3]).buffer(d[4]).value(.02f).value(.3f);
       }},
      {"black-scholes fp64", "bs64", "bs64", group1(256, 1 << 21), 1e-3 * (1 << 21) / 1e3 / 1e3, "Gopt/s", .29,
       [](Data& d) {
         d = {values(1 << 22), values(1 << 22), values(1 << 22), values(1 << 22), values(1 << 22)};
         for (auto& v : d)
           for (size_t i = 0; i < v.size(); i += 2) *reinterpret_cast<double*>(&v[i]) = v[i];
       },
       [](Data& d, const KernelCode&) {
         return Arguments().buffer(d[0]).buffer(d[1]).buffer(d[2]).buffer(d[3]).buffer(d[4]).value(.02).value(.3);
       }},
      {"sgemm naive", "sgemm_naive", "sgemm_naive", group2(16, 16, 1024, 1024), flop, "GFLOP/s", 20, three(1 << 20),
       gemm},
      {"sgemm tiled", "sgemm_tiled", "sgemm_tiled", group2(16, 16, 1024, 1024), flop, "GFLOP/s", 110, three(1 << 20),
       gemm},
      {"sgemm reg",
       "sgemm_reg",
       "sgemm_reg",
       {{64, 8, 1}, {16, 16, 1}, {}, 2},
       flop,
       "GFLOP/s",
       200,
       three(1 << 20),
       gemm},
      {"reduce 2^24/65536", "reduce", "reduce", group1(256, 65536), 4e-9 * (1 << 24), "GB/s", 21, two(1 << 24),
       reduce(1 << 24)},
      {"reduce 2^24/4096", "reduce", "reduce", group1(256, 4096), 4e-9 * (1 << 24), "GB/s", 17, two(1 << 24),
       reduce(1 << 24)},
      {"reduce 2^18/4096", "reduce", "reduce", group1(256, 4096), 4e-9 * (1 << 18), "GB/s", 110, two(1 << 18),
       reduce(1 << 18)},
      {"redbar 2^22", "redbar", "redbar", group1(256, 65536), 4e-9 * (1 << 22), "GB/s", 34, two(1 << 22),
       [](Data& d, const KernelCode& k) { return Arguments().buffer(d[0]).buffer(d[1]).local(k.local_bytes, 1024); }},
      {"n-body 8192", "nbody", "nbody", group1(256, 8192), 20e-9 * 8192 * 8192, "GFLOP/s", 190, two(8192 * 4),
       [](Data& d, const KernelCode& k) {
         return Arguments().buffer(d[0]).buffer(d[1]).local(k.local_bytes, 4096).value(8192u).value(.01f);
       }},
      {"sub-group reduce 2^24", "sgred", "sgred", group1(256, 65536), 4e-9 * (1 << 24), "GB/s", 11, two(1 << 24),
       [](Data& d, const KernelCode&) { return Arguments().buffer(d[0]).buffer(d[1]).value(1u << 24); }},
      {"transpose 2048", "transpose", "transpose", group2(16, 16, 2048, 2048), 8e-9 * (1 << 22), "GB/s", 22,
       two(1 << 22),
       [](Data& d, const KernelCode&) { return Arguments().buffer(d[0]).buffer(d[1]).value(2048u).value(2048u); }},
      {"stencil5 4096", "stencil5", "stencil5", group2(64, 4, 4096, 4096), 8e-9 * (1 << 24), "GB/s", 30, two(1 << 24),
       stencil(4096)},
      {"stencil5 256", "stencil5", "stencil5", group2(64, 4, 256, 256), 8e-9 * (1 << 16), "GB/s", 80, two(1 << 16),
       stencil(256)},
      {"sobel 4096", "sobelb", "sobelb", group2(64, 4, 4096, 4096), 8e-9 * (1 << 24), "GB/s", 29, two(1 << 24),
       sobel(4096)},
      {"sobel 256", "sobelb", "sobelb", group2(64, 4, 256, 256), 8e-9 * (1 << 16), "GB/s", 40, two(1 << 16),
       sobel(256)},
      {"histogram 2^24", "histogram", "histogram", group1(256, 65536), 1e-9 * (1 << 24), "Gkeys/s", 1.2,
       [](Data& d) {
         d = {values(1 << 24), values(256)};
         for (size_t i = 0; i < d[0].size(); ++i)
           reinterpret_cast<uint32_t&>(d[0][i]) = uint32_t(i * 2654435761u) >> 20;
       },
       [](Data& d, const KernelCode&) { return Arguments().buffer(d[0]).buffer(d[1]).value(1u << 24); }},
      {"ctlflow 4096x64", "ctlflow", "ctlflow", group1(64, 4096), 1e-9 * 4096 * 64, "Gstep/s", 1.5,
       [](Data& d) {
         d = {values((4096 + 32) * 64), values(4096)};
         std::minstd_rand random(12345);
         constexpr int steps[] = {-1, 1, 2, 5, 6, 8, 9, 13, 14, 16, 17, 1};
         for (float& v : d[0]) reinterpret_cast<int&>(v) = steps[random() % std::size(steps)];
       },
       [](Data& d, const KernelCode&) { return Arguments().buffer(d[0]).buffer(d[1]).value(4096).value(64); }},
  };
}

// Iterations that the kernel really did, as its output says (10 operations each).
double mandelbrot_amount(const std::vector<float>& out) {
  double iterations = 0;
  for (const float& v : out) iterations += reinterpret_cast<const uint32_t&>(v);
  return iterations * 10 * 1e-9;
}

// With one thread its own time, which other programs on the machine disturb less.
double now() {
  timespec time;
  clock_gettime(Threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

double measure(Pool& pool, Session& session, zeroth_kernel_fn entry) {
  uint64_t groups = session.groups();
  std::function<void(unsigned)> work = [&](unsigned t) {
    session.run(entry, t, groups * t / Threads, groups * (t + 1) / Threads);
  };
  std::vector<double> times;
  auto begin = std::chrono::steady_clock::now();
  while (times.size() < 5 ||
         (times.size() < 400 && std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(400))) {
    double start = now();
    pool.run(work);
    times.push_back(now() - start);
  }
  // A tenth instead of the median: other programs on the machine only add.
  std::nth_element(times.begin(), times.begin() + long(times.size() / 10), times.end());
  return times[times.size() / 10];
}

void measure_row(Pool& pool, const Row& row, uint32_t width, const char* engine) {
  CompileOptions options;
  options.width = width;
  options.engine = engine;
  auto start = std::chrono::steady_clock::now();
  auto program = Program::from_opencl(std::string(KERNELS_FOLDER) + "/" + row.file + ".ll", options);
  double built = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  const KernelCode& code = program->kernel(row.kernel);
  Data data;
  row.fill(data);
  Arguments arguments = row.arguments(data, code);
  Session session(arguments, row.launch, program->memory(row.kernel, arguments, row.launch), Threads);
  double time = measure(pool, session, program->entry(row.kernel));
  double amount = row.amount != 0 ? row.amount : std::string(row.file) == "mandelbrot" ? mandelbrot_amount(data[0]) : 0;
  std::printf("%-22s W %3u %-6s %8.2f %-8s goal %6.2f  %5.0f%%   %9.3f ms   built %4.0f ms  %s\n", row.name, code.width,
              engine_name(code.engine), amount / time, row.unit, row.goal, 100 * amount / time / row.goal, time * 1e3,
              built, code.report.notes.empty() ? "" : code.report.notes[0].c_str());
  const KernelReport& r = code.report;
  std::printf("  masked %u guarded %u divergent loops %u; contiguous %u uniform %u gathered %u scalarised %u\n",
              r.masked_blocks, r.guarded_blocks, r.divergent_loops, r.contiguous, r.uniform, r.gathers, r.scalarised);
  if (std::getenv("ZEROTH_TEST_ASSEMBLY")) std::fputs(program->assembly().c_str(), stderr);
  if (std::getenv("ZEROTH_TEST_IR")) std::fputs(program->ir().c_str(), stderr);
}

} // namespace
} // namespace zeroth::codegen::testing

int main(int argc, char** argv) {
  using namespace zeroth::codegen::testing;
  Pool pool;
  std::string filter = argc > 1 ? argv[1] : "";
  uint32_t width = argc > 2 ? uint32_t(std::atoi(argv[2])) : 0;
  for (const Row& row : rows())
    if (std::string(row.name).find(filter) != std::string::npos) measure_row(pool, row, width, argc > 3 ? argv[3] : "");
}
