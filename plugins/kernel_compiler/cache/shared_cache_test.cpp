// Case 22: many processes build the same modules on an empty cache while files are truncated and processes killed.
#include "../client/native_format.hpp"
#include "../client/test_support.hpp"
#include "cache.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

namespace zeroth::compiler {
namespace {

namespace fs = std::filesystem;
using namespace testing;

constexpr int processes = 64, modules = 20;
constexpr uint32_t items = 128;

// Two kernels with ten sets of flags each make 20 entries; each process builds 20 times and checks every result.
bool builds_all(const fs::path& folder, unsigned seed) {
  CompilerOptions options = options_with_cache(folder);
  options.processes = 1;
  Compiler compiler(options);
  const auto saxpy = kernel_file("saxpy"), store = kernel_file("store");
  std::mt19937 random(seed);
  for (int i = 0; i < modules; ++i) {
    const int which = static_cast<int>(random() % modules);
    const std::string flags = "-variant=" + std::to_string(which);
    if (which % 2) {
      if (!saxpy_is_right(*compiler.compile(request_for(saxpy, flags)))) return false;
      continue;
    }
    const ModulePtr module = compiler.compile(request_for(store, flags));
    std::vector<uint32_t> out(items);
    const uint32_t* pointer = out.data();
    const auto raw = std::as_bytes(std::span(&pointer, 1));
    run(*module->kernel("store"), {raw.begin(), raw.end()}, items / 32, 32);
    if (out != std::vector<uint32_t>(items, 1)) return false;
  }
  return true;
}

void truncate_something(const fs::path& folder, std::mt19937& random) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->is_regular_file(error)) files.push_back(at->path());
  if (files.empty()) return;
  const fs::path& victim = files[random() % files.size()];
  const auto size = fs::file_size(victim, error);
  if (!error && size) fs::resize_file(victim, random() % size, error);
}

TEST(SharedCache, ManyProcessesKillsAndTruncationsNeverGiveAWrongKernel) {
  const TemporaryFolder folder;
  std::mt19937 random(22);
  std::vector<pid_t> alive;
  int right = 0, wrong = 0, killed = 0;
  const auto reap = [&](pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    (WIFSIGNALED(status) ? killed : WEXITSTATUS(status) == 42 ? right : wrong) += 1;
  };
  constexpr size_t at_a_time = 8;
  for (int started = 0; started < processes; ++started) {
    const pid_t child = fork();
    if (child == 0) _exit(builds_all(folder.path(), started) ? 42 : 1);
    alive.push_back(child);
    truncate_something(folder.path(), random);
    if (started % 5 == 4) kill(alive[random() % alive.size()], SIGKILL);
    if (alive.size() < at_a_time) continue;
    reap(alive.front());
    alive.erase(alive.begin());
  }
  for (pid_t pid : alive) reap(pid);
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(right, processes / 2);
  EXPECT_EQ(right + killed, processes);

  // The check command removes what the last truncations left; after it everything is whole and still right.
  const Cache cache(folder.path().string(), uint64_t{1} << 30);
  cache.verify(is_undamaged);
  EXPECT_EQ(cache.verify(is_undamaged), 0u);
  EXPECT_GT(cache.statistics().entries, 0u);
  EXPECT_TRUE(builds_all(folder.path(), 1000));
}

} // namespace
} // namespace zeroth::compiler
