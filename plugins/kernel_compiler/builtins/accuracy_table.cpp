// Prints the table of docs/accuracy.md. `--samples N` sets the sample's size, `--only NAME` picks one function; `--all`
// measures every argument of the single-precision functions of one argument instead, `--every N` each Nth of them.
#include "accuracy.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace zeroth::accuracy;

int main(int count, char** arguments) {
  bool all = false;
  uint32_t every = 1;
  uint64_t samples = 1'000'000;
  std::string_view only;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--all") all = true;
    if (argument == "--every" && i + 1 < count) {
      all = true;
      every = std::max(1, std::atoi(arguments[++i]));
    }
    if (argument == "--only" && i + 1 < count) only = arguments[++i];
    if (argument == "--samples" && i + 1 < count) samples = std::strtoull(arguments[++i], nullptr, 10);
  }
  bool within = true;
  std::printf("| function | format | limit, ulp | worst, ulp | at | arguments |\n|---|---|---|---|---|---|\n");
  for (const Function& f : functions()) {
    if (!only.empty() && only != f.name) continue;
    const bool exhaustive = all && f.f32;
    if (all && !exhaustive) continue;
    const Measurement m = exhaustive ? measure_all(f, 0, every) : measure(f, samples, 1);
    within = within && m.worst <= f.limit;
    std::printf("| %s | %s | %g | %.3f%s | %.9g", f.name.c_str(), f.format == Format::F32 ? "f32" : "f64", f.limit,
                m.worst, m.worst <= f.limit ? "" : " **over**", m.at_x);
    if (!f.f32 && !f.f64) std::printf(", %.9g", m.at_y);
    std::printf(" | %s |\n", exhaustive && every == 1 ? "all" : std::to_string(m.samples).c_str());
    std::fflush(stdout);
  }
  return within ? 0 : 1;
}
