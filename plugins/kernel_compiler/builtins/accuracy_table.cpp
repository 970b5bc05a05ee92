// Measures the built-in functions.
//   zeroth-accuracy [--samples N] [--only NAME]           a line for each function and format
//   zeroth-accuracy --document [--samples N]              the table of docs/accuracy.md
//   zeroth-accuracy --all [--every N] [--jobs J]          every (or each Nth) argument of the single-precision
//   functions of
//                                                         one argument, on J cores
// Exit status 1 when a function exceeds its limit.
#include "accuracy.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace zeroth::accuracy;

namespace {

struct Options {
  bool all = false, document = false;
  uint32_t every = 1, jobs = std::max(1u, std::thread::hardware_concurrency());
  uint64_t samples = 1'000'000;
  std::string_view only;
};

Options parse(int count, char** arguments) {
  Options o;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    const auto number = [&] { return i + 1 < count ? std::strtoull(arguments[++i], nullptr, 10) : 0; };
    if (argument == "--all") o.all = true;
    if (argument == "--document") o.document = true;
    if (argument == "--every") o.every = uint32_t(std::max(1ull, number()));
    if (argument == "--jobs") o.jobs = uint32_t(std::max(1ull, number()));
    if (argument == "--samples") o.samples = number();
    if (argument == "--only" && i + 1 < count) o.only = arguments[++i];
  }
  return o;
}

// Each job takes each Jth argument; the worst of all is the worst.
Measurement measure_on_all_cores(const Function& f, const Options& o) {
  std::vector<int> results;
  for (uint32_t job = 0; job < o.jobs; ++job) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    if (fork() == 0) {
      const Measurement m = measure_all(f, job * o.every, o.jobs * o.every);
      _exit(write(ends[1], &m, sizeof m) == sizeof m ? 0 : 1);
    }
    close(ends[1]);
    results.push_back(ends[0]);
  }
  Measurement worst;
  for (int result : results) {
    Measurement m;
    if (read(result, &m, sizeof m) != sizeof m) std::abort();
    close(result);
    wait(nullptr);
    const uint64_t samples = worst.samples + m.samples;
    if (m.worst > worst.worst || worst.samples == 0) worst = m;
    worst.samples = samples;
  }
  return worst;
}

void print_line(const Function& f, const Measurement& m, bool exhaustive) {
  std::printf("| %s | %s | %g | %.3f%s | %.9g", f.name.c_str(), f.format == Format::F32 ? "f32" : "f64", f.limit,
              m.worst, m.worst <= f.limit ? "" : " **over**", m.at_x);
  if (!f.f32 && !f.f64) std::printf(", %.9g", m.at_y);
  std::printf(" | %s |\n", exhaustive ? "all" : std::to_string(m.samples).c_str());
  std::fflush(stdout);
}

bool print_half_table() {
  bool within = true;
  std::printf("\n| function | f16 limit | f16 worst |\n|---|---|---|\n");
  for (const Function& f : functions()) {
    if (!has_half_form(f)) continue;
    const Measurement m = measure_half(f);
    within = within && m.worst <= half_limit(f);
    std::printf("| `%s` | %g | %.3f |\n", f.name.c_str(), half_limit(f), m.worst);
  }
  return within;
}

// A row for each function, both formats side by side; the fast forms are described in words there.
bool print_document(const Options& o) {
  bool within = true;
  std::printf("| function | f32 limit | f32 worst | f64 limit | f64 worst |\n|---|---|---|---|---|\n");
  const std::vector<Function>& list = functions();
  for (size_t i = 0; i + 1 < list.size(); ++i) {
    const Function &f32 = list[i], &f64 = list[i + 1];
    if (f32.format != Format::F32 || f64.format != Format::F64 || f32.name != f64.name) continue;
    const Measurement a = measure(f32, o.samples, 1), b = measure(f64, o.samples, 1);
    within = within && a.worst <= f32.limit && b.worst <= f64.limit;
    std::printf("| `%s` | %g | %.3f | %g | %.3f |\n", f32.name.c_str(), f32.limit, a.worst, f64.limit, b.worst);
    std::fflush(stdout);
  }
  return print_half_table() && within;
}

bool print_list(const Options& o) {
  bool within = true;
  std::printf("| function | format | limit, ulp | worst, ulp | at | arguments |\n|---|---|---|---|---|---|\n");
  for (const Function& f : functions()) {
    if (!o.only.empty() && o.only != f.name) continue;
    if (o.all && !f.f32) continue;
    const Measurement m = o.all ? measure_on_all_cores(f, o) : measure(f, o.samples, 1);
    within = within && m.worst <= f.limit;
    print_line(f, m, o.all && o.every == 1);
  }
  return within;
}

} // namespace

int main(int count, char** arguments) {
  const Options options = parse(count, arguments);
  return (options.document ? print_document(options) : print_list(options)) ? 0 : 1;
}
