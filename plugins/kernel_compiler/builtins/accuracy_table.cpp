// Measures the built-in functions.
//   zeroth-accuracy [--samples N] [--only NAME]           a line for each function and format
//   zeroth-accuracy --document [--samples N]              the table of docs/accuracy.md
// Exit status 1 when a function exceeds its limit. zeroth-accuracy-all measures all arguments.
#include "accuracy.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace zeroth::accuracy;

namespace {

struct Options {
  bool document = false;
  uint64_t samples = 1'000'000;
  std::string_view only;
};

Options parse(int count, char** arguments) {
  Options o;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    const auto number = [&] { return i + 1 < count ? std::strtoull(arguments[++i], nullptr, 10) : 0; };
    if (argument == "--document") o.document = true;
    if (argument == "--samples") o.samples = number();
    if (argument == "--only" && i + 1 < count) o.only = arguments[++i];
  }
  return o;
}

void print_line(const Function& f, const Measurement& m) {
  std::printf("| %s | %s | %g | %.3f%s | %.9g", f.name.c_str(), f.format == Format::F32 ? "f32" : "f64", f.limit,
              m.worst, m.worst <= f.limit ? "" : " **over**", m.at_x);
  if (!f.f32 && !f.f64) std::printf(", %.9g", m.at_y);
  std::printf(" | %llu |\n", static_cast<unsigned long long>(m.samples));
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
    const Measurement m = measure(f, o.samples, 1);
    within = within && m.worst <= f.limit;
    print_line(f, m);
  }
  return within;
}

} // namespace

int main(int count, char** arguments) {
  const Options options = parse(count, arguments);
  return (options.document ? print_document(options) : print_list(options)) ? 0 : 1;
}
