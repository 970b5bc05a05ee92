// zeroth-accuracy-all [--only NAME] [--every N] [--jobs J]: the single-precision functions of one argument at all
// arguments (or in each Nth block of 4096), on J cores, in the code that kernels get on this machine. Prints a row for
// each; exit status 1 when one exceeds its limit.
#include "all_arguments.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace zeroth::accuracy;

namespace {

struct Options {
  uint64_t every = 1, jobs = std::max(1u, std::thread::hardware_concurrency());
  std::string_view only;
};

Options parse(int count, char** words) {
  Options options;
  for (int i = 1; i + 1 < count; ++i) {
    const std::string_view word = words[i];
    const auto number = [&] { return std::max(1ull, std::strtoull(words[i + 1], nullptr, 10)); };
    if (word == "--every") options.every = number();
    if (word == "--jobs") options.jobs = number();
    if (word == "--only") options.only = words[i + 1];
  }
  return options;
}

// In a child; the descriptor gives its measurement.
int start(const Function& function, const Blocks& blocks) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  if (fork() == 0) {
    const Measurement part = measure_blocks(function, blocks);
    _exit(write(ends[1], &part, sizeof part) == sizeof part ? 0 : 1);
  }
  close(ends[1]);
  return ends[0];
}

// Each job takes each Jth block; the worst of all is the worst.
Measurement measure(const Function& function, const Options& options) {
  std::vector<int> parts;
  for (uint64_t job = 0; job < options.jobs; ++job)
    parts.push_back(start(function, {job * options.every, options.jobs * options.every}));
  Measurement all;
  for (int part : parts) {
    Measurement m;
    if (read(part, &m, sizeof m) != sizeof m) std::abort();
    close(part);
    wait(nullptr);
    m.samples += all.samples;
    if (m.worst < all.worst) m = {all.worst, all.at_x, all.at_y, m.samples};
    all = m;
  }
  return all;
}

} // namespace

int main(int count, char** words) {
  const Options options = parse(count, words);
  bool within = true;
  std::printf("| function | limit | worst | at | arguments |\n|---|---|---|---|---|\n");
  for (const Function& function : functions()) {
    if (!function.f32 || (!options.only.empty() && options.only != function.name)) continue;
    const Measurement m = measure(function, options);
    within = within && m.worst <= function.limit;
    std::printf("| `%s` | %g | %.3f | %.9g | %llu |\n", function.name.c_str(), function.limit, m.worst, m.at_x,
                static_cast<unsigned long long>(m.samples));
    std::fflush(stdout);
  }
  return within ? 0 : 1;
}
