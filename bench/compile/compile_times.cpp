// zeroth-bench-compile [ROUNDS]: what a program waits for its kernels: medians and 99th percentiles of ROUNDS (default
// 200) runs of a small module, and single figures of large ones. Each with caches and processes of its own.
#include <kernel_compiler/client/kernel_compiler.hpp>
#include <kernel_compiler/run_groups.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using namespace zeroth::compiler;
namespace fs = std::filesystem;

std::vector<std::byte> kernel_file(const std::string& name) {
  std::ifstream file(fs::path(ZEROTH_BENCH_KERNELS) / (name + ".spv"), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

CompileRequest request_for(const std::vector<std::byte>& spirv) {
  CompileRequest request;
  request.inputs.push_back({spirv, "", {}});
  return request;
}

CompilerOptions options(const fs::path& cache = {}) {
  CompilerOptions result;
  result.worker_path = ZEROTH_BENCH_WORKER;
  result.use_cache = !cache.empty();
  result.cache_directory = cache.string();
  return result;
}

// To the first work-item that has run.
void run_once(const CompiledModule& module) {
  const KernelInfo& kernel = *module.prepare(0).load();
  alignas(64) static std::byte arguments[256], scratch[1 << 16];
  static float x[64], y[64];
  const float a = 2;
  const float *px = x, *py = y;
  const void* values[] = {&a, &px, &py};
  for (size_t i = 0; i < 3; ++i)
    std::copy_n(static_cast<const std::byte*>(values[i]), kernel.arguments[i].size,
                arguments + kernel.arguments[i].offset);
  zeroth_services services{};
  services.run_groups = zeroth_run_groups;
  auto* memory = reinterpret_cast<uint8_t*>(scratch);
  zeroth_worker worker{&services, memory, memory, nullptr, sizeof scratch, sizeof scratch};
  zeroth_launch launch{};
  launch.arguments = reinterpret_cast<const uint8_t*>(arguments);
  launch.work_dim = 1;
  for (int d = 0; d < 3; ++d) launch.group_size[d] = launch.group_count[d] = 1;
  launch.group_size[0] = 64;
  kernel.entry(&launch, &worker, 0, 1);
}

template <class Work> double milliseconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

template <class Work> void report(const char* what, double goal, int rounds, Work work) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) times.push_back(work());
  std::sort(times.begin(), times.end());
  const auto at = [&](double part) { return times[size_t(part * double(times.size() - 1))]; };
  std::printf("%-58s median %8.2f  p99 %8.2f ms  (goal %g)\n", what, at(0.5), at(0.99), goal);
  std::fflush(stdout);
}

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * double(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

void prepare_all(const CompiledModule& module) {
  for (size_t i = 0; i < module.kernels().size(); ++i) module.prepare(i);
}

} // namespace

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::max(1, std::atoi(arguments[1])) : 200;
  const auto saxpy = kernel_file("saxpy"), many = kernel_file("kernels_256"), very_many = kernel_file("kernels_1000");
  const double before = resident_megabytes();
  Compiler warm(options());
  run_once(*warm.open(request_for(saxpy)));
  report("small module to first launch, worker warm", 20, rounds,
         [&] { return milliseconds([&] { run_once(*warm.open(request_for(saxpy))); }); });
  report("the same with the worker's start", 50, rounds, [&] {
    Compiler fresh(options());
    return milliseconds([&] { run_once(*fresh.open(request_for(saxpy))); });
  });
  std::string folder = (fs::temp_directory_path() / "zeroth-bench-XXXXXX").string();
  if (!mkdtemp(folder.data())) return 1;
  Compiler(options(folder)).open(request_for(saxpy));
  report("the same from the cache, by a new compiler", 1, rounds, [&] {
    Compiler fresh(options(folder));
    return milliseconds([&] { run_once(*fresh.open(request_for(saxpy))); });
  });
  fs::remove_all(folder);
  std::printf("memory of this process grew by %.1f MB  (goal 10)\n", resident_megabytes() - before);
  const int few = std::max(1, rounds / 40);
  report("256 kernels, created and every kernel prepared", 1500, few,
         [&] { return milliseconds([&] { prepare_all(*warm.open(request_for(many))); }); });
  report("256 kernels, one compile", 1500, few, [&] { return milliseconds([&] { warm.compile(request_for(many)); }); });
  report("1000 kernels, created", 50, few, [&] { return milliseconds([&] { warm.open(request_for(very_many)); }); });
  report("1000 kernels, created and one prepared", 100, few,
         [&] { return milliseconds([&] { warm.open(request_for(very_many))->prepare(500); }); });
  return 0;
}
