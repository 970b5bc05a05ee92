#include "cli/engine_check.hpp"

#include "cli/console.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace zeroth::cli {
namespace {

struct Form {
  const char* name;
  const char* flags;
};

constexpr Form forms[] = {
    {"one work-item at a time, fibers", "-zeroth-width=1 -zeroth-engine=fiber"}, // what the others are compared with
    {"one work-item at a time, loops", "-zeroth-width=1"},
    {"as programs get it", ""},
    {"as programs get it, fibers", "-zeroth-engine=fiber"},
    {"4 work-items a slice", "-zeroth-width=4"},
    {"8 work-items a slice", "-zeroth-width=8"},
    {"16 work-items a slice", "-zeroth-width=16"},
    {"32 work-items a slice", "-zeroth-width=32"},
    {"64 work-items a slice", "-zeroth-width=64"},
};

using Contents = std::vector<KernelRunner::Contents>;

Contents run_form(const RunOptions& options, const Form& form) {
  RunOptions own = options;
  own.build_flags += std::string(" ") + form.flags;
  own.repeat = 1;
  KernelRunner runner(own);
  runner.build();
  runner.wait_for_best_code();
  runner.set_arguments();
  runner.launch();
  return runner.contents();
}

struct Differences {
  size_t count = 0;
  double largest = 0; // relative, of floating-point elements
  std::string first;
};

void compare(const KernelRunner::Contents& got, const KernelRunner::Contents& want, Differences& differences) {
  const size_t size = size_of(got.type);
  for (size_t i = 0; i < want.bytes.size() / size; ++i) {
    if (std::memcmp(got.bytes.data() + i * size, want.bytes.data() + i * size, size) == 0) continue;
    const double a = element_value(got.bytes, got.type, i), b = element_value(want.bytes, want.type, i);
    if (std::isnan(a) && std::isnan(b)) continue; // sign and payload of a NaN are nobody's to choose
    if (differences.count++ == 0)
      differences.first = fmt::format("argument {} element {}: {}, not {}", got.index, i,
                                      element_text(got.bytes, got.type, i), element_text(want.bytes, want.type, i));
    const double scale = std::max(std::abs(a), std::abs(b));
    if (scale > 0) differences.largest = std::max(differences.largest, std::abs(a - b) / scale);
  }
}

} // namespace

int check_engines(const RunOptions& options) {
  const Console console;
  const Contents want = run_form(options, forms[0]);
  bool agree = true;
  for (const Form& form : forms) {
    if (&form == forms) continue;
    const Contents got = run_form(options, form);
    Differences differences;
    for (size_t i = 0; i < want.size(); ++i) compare(got[i], want[i], differences);
    const std::string words = differences.count == 0
                                  ? "the same"
                                  : fmt::format("{} elements differ, by {:.3g} of their value at most; {}",
                                                differences.count, differences.largest, differences.first);
    console.field(form.name, words, 0, 34, differences.count == 0 ? Tone::Good : Tone::Bad);
    agree = agree && differences.count == 0;
  }
  console.line(
      agree ? "All forms give the same bits."
            : "Forms differ from the plainest one. Races, and atomic sums of floats, may do that in a right build.",
      agree ? Tone::Good : Tone::Bad);
  return agree ? 0 : 1;
}

} // namespace zeroth::cli
