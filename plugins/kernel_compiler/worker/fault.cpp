#include "fault.hpp"

#include "../client/memory_file.hpp"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace zeroth::compiler {

namespace {

void report_sandbox(BuildLog& log) {
  const auto tell = [&](const char* what, bool allowed) {
    log.line(std::string(what) + (allowed ? " allowed" : " refused"));
  };
  tell("network", socket(AF_INET, SOCK_STREAM, 0) >= 0);
  const Descriptor file = make_memory_file("probe");
  tell("writing", open(("/proc/self/fd/" + std::to_string(file.get())).c_str(), O_WRONLY) >= 0);
  tell("program", fork() >= 0);
  tell("reading", open("/proc/self/stat", O_RDONLY) >= 0);
}

} // namespace

void cause_fault(const std::string& kind, BuildLog& log) {
  if (kind.empty()) return;
  log.line("fault on demand: " + kind);
  if (kind == "crash") std::abort();
  if (kind == "slow") usleep(400'000);
  if (kind == "killed") raise(SIGKILL);
  if (kind == "hang")
    for (volatile bool forever = true; forever;) {
    }
  if (kind == "sandbox") report_sandbox(log);
  constexpr size_t piece = 16 << 20;
  std::vector<std::vector<char>> hoard;
  while (kind == "memory") hoard.emplace_back(piece, 1);
}

} // namespace zeroth::compiler
