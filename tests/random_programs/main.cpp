// zeroth-random-programs [--count N] [--seed S] [--jobs J] [--all-forms]: the long run. With --print or --reduce only
// the first program is shown, or the smallest that goes wrong in the same way. Programs run in batches, in child
// processes, so that a crash or an endless loop is one line that names the seed, and the others go on. Exit status 1
// when anything disagreed.
#include "check.hpp"
#include "reduce.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace zeroth::random_programs;

namespace {

struct Options {
  uint64_t count = 1000, seed = 1;
  uint32_t jobs = std::max(1u, std::thread::hardware_concurrency());
  bool all_forms = false;
  bool print = false, reduce = false;
};

constexpr uint32_t BatchSize = 25;
constexpr unsigned BatchSeconds = 300;

// What all processes see.
struct Shared {
  std::atomic<uint64_t> next{0}, done{0}, trials{0}, wrong{0};
};

void say(const std::string& line) {
  if (write(1, line.data(), line.size()) < 0) std::abort();
}

uint64_t check(const Options& options, uint64_t first, uint32_t count) {
  CheckOptions check;
  check.first = first;
  check.count = count;
  check.all_forms = options.all_forms;
  const auto wrong = check_batch(check);
  for (const Disagreement& w : wrong) say(fmt::format("seed {} as {}: {}\n", w.seed, w.form, w.what));
  return wrong.size();
}

// In a child of its own; false when that died.
bool survives(const Options& options, Shared& shared, uint64_t first, uint32_t count) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(BatchSeconds);
    shared.wrong += check(options, first, count);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0;
}

void run_batch(const Options& options, Shared& shared, uint64_t first, uint32_t count) {
  if (survives(options, shared, first, count)) return;
  for (uint64_t seed = first; seed < first + count; ++seed)
    if (!survives(options, shared, seed, 1)) {
      say(fmt::format("seed {}: died, or took more than {} s\n", seed, BatchSeconds));
      ++shared.wrong;
    }
}

void work(const Options& options, Shared& shared) {
  const uint64_t batches = (options.count + BatchSize - 1) / BatchSize;
  for (uint64_t batch; (batch = shared.next++) < batches;) {
    const uint64_t begin = batch * BatchSize;
    const uint32_t count = uint32_t(std::min<uint64_t>(BatchSize, options.count - begin));
    run_batch(options, shared, options.seed + begin, count);
    shared.done += count;
    for (uint64_t i = 0; i < count; ++i) shared.trials += forms_of(options.seed + begin + i, options.all_forms).size();
    if (batch % 40 == 39) say(fmt::format("{} programs, {} wrong\n", shared.done.load(), shared.wrong.load()));
  }
}

// In a child: smaller programs may do anything.
bool is_wrong(const Program& program, const Form& form) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    try {
      _exit(check_program(program, form).empty() ? 0 : 42);
    } catch (const std::exception&) {
      _exit(1); // no legal program any more
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 42;
}

void show_reduced(uint64_t seed) {
  const Program program = generate(seed);
  for (const Form& form : forms_of(seed, true)) {
    const auto shows = [&](const Program& smaller) { return is_wrong(smaller, form); };
    if (!shows(program)) continue;
    const Program small = reduce(program, shows);
    say(fmt::format("{}as {}: {}\n", to_text(small), form.name, check_program(small, form)));
    return;
  }
}

Options parse(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    const auto number = [&] { return i + 1 < count ? std::strtoull(words[++i], nullptr, 0) : 0; };
    if (word == "--count") options.count = number();
    if (word == "--seed") options.seed = number();
    if (word == "--jobs") options.jobs = uint32_t(number());
    if (word == "--all-forms") options.all_forms = true;
    if (word == "--print") options.print = true;
    if (word == "--reduce") options.reduce = true;
  }
  return options;
}

} // namespace

int main(int count, char** words) {
  const Options options = parse(count, words);
  if (options.print) {
    say(to_text(generate(options.seed)));
    return 0;
  }
  if (options.reduce) {
    show_reduced(options.seed);
    return 0;
  }
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Shared& shared = *new (memory) Shared;
  const auto start = std::chrono::steady_clock::now();
  for (uint32_t job = 0; job < options.jobs; ++job)
    if (fork() == 0) {
      work(options, shared);
      _exit(0);
    }
  while (wait(nullptr) > 0) {
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  fmt::print("seeds {} to {}: {} programs, {} runs of compiled code, {} wrong, {:.0f} s with {} jobs\n", options.seed,
             options.seed + options.count - 1, shared.done.load(), shared.trials.load(), shared.wrong.load(),
             taken.count(), options.jobs);
  return shared.wrong == 0 && shared.done == options.count ? 0 : 1;
}
