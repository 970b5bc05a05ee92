// zeroth-bench-pause KERNELS SUBJECT PAUSE-US ROUNDS: the median microseconds of the subject after a pause, and those
// of looking at the clock twice after the same pause. Subjects: level-zero, opencl:PLATFORM,
// bare:DATA-LINES:CODE-LINES.
#include "pause/subject.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <thread>
#include <vector>

namespace zeroth::bench {
namespace {

using Clock = std::chrono::steady_clock;

Subject make_subject(const std::string& name, const std::string& kernels) {
  if (name == "level-zero") return level_zero_launch(kernels);
#ifdef ZEROTH_BENCH_OPENCL
  if (name.starts_with("opencl:")) return opencl_launch(name.substr(7));
#endif
  unsigned data = 0, code = 0;
  if (std::sscanf(name.c_str(), "bare:%u:%u", &data, &code) == 2 && data && code) return bare_touch(data, code);
  throw std::runtime_error("no subject is called " + name);
}

double median_after(std::chrono::microseconds pause, int rounds, const Subject& subject) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    std::this_thread::sleep_for(pause);
    const auto begin = Clock::now();
    subject();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return times[static_cast<std::size_t>(rounds / 2)];
}

void measure(const std::string& kernels, const std::string& name, std::chrono::microseconds pause, int rounds) {
  const Subject subject = make_subject(name, kernels);
  for (int i = 0; i < 1000; ++i) subject();
  const double time = median_after(pause, rounds, subject);
  std::printf("{\"us\": %.3f, \"clock us\": %.3f}\n", time, median_after(pause, rounds, [] {}));
}

} // namespace
} // namespace zeroth::bench

int main(int count, char** texts) try {
  if (count != 5) throw std::runtime_error("usage: zeroth-bench-pause KERNELS SUBJECT PAUSE-US ROUNDS");
  zeroth::bench::measure(texts[1], texts[2], std::chrono::microseconds(std::stol(texts[3])), std::stoi(texts[4]));
  std::fflush(stdout);
  std::_Exit(0); // some runtimes do not end well
} catch (const std::exception& error) {
  std::fprintf(stderr, "zeroth-bench-pause: %s\n", error.what());
  return 1;
}
