// zeroth-compile-corpus LIST [JOBS]: compiles every SPIR-V module that the file LIST names, through the worker program
// and without the cache, JOBS at a time (as many as there are cores, at most 8); prints the refused ones, then counts
// and the time per module. Exit status 1 when any was refused.
#include <kernel_compiler/client/kernel_compiler.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace zeroth::compiler;

std::vector<std::string> lines_of(const char* path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

struct Outcome {
  double milliseconds = 0;
  std::string failure;
};

Outcome compile(Compiler& compiler, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CompileRequest request;
  request.inputs.push_back({std::as_bytes(std::span(text.data(), text.size())), "", {}});
  Outcome outcome;
  const auto start = std::chrono::steady_clock::now();
  try {
    compiler.compile(request);
  } catch (const CompileError& error) {
    outcome.failure = error.log();
  }
  outcome.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

} // namespace

int main(int count, char** arguments) {
  if (count != 2 && count != 3) return 2;
  const unsigned jobs = count == 3 ? unsigned(std::atoi(arguments[2])) : std::thread::hardware_concurrency();
  const std::vector<std::string> files = lines_of(arguments[1]);
  CompilerOptions options;
  options.use_cache = false;
  Compiler compiler(options);
  std::vector<double> times;
  size_t refused = 0;
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  const auto work = [&] {
    for (size_t i = next++; i < files.size(); i = next++) {
      const Outcome outcome = compile(compiler, files[i]);
      const std::lock_guard lock(mutex);
      times.push_back(outcome.milliseconds);
      if (outcome.failure.empty()) continue;
      ++refused;
      std::printf("%s: %s\n", files[i].c_str(), outcome.failure.substr(0, 400).c_str());
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::clamp(jobs, 1u, 8u); ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  std::sort(times.begin(), times.end());
  const auto at = [&](double part) { return times.empty() ? 0.0 : times[size_t(part * double(times.size() - 1))]; };
  std::printf("%zu modules, %zu refused; ms per module: median %.1f, 99%% %.1f, most %.1f\n", files.size(), refused,
              at(0.5), at(0.99), at(1));
  return refused != 0;
}
