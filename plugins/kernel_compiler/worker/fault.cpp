#include "fault.hpp"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace zeroth::compiler {

void cause_fault(const std::string& kind, BuildLog& log) {
  if (kind.empty()) return;
  log.line("fault on demand: " + kind);
  if (kind == "crash") std::abort();
  if (kind == "killed") raise(SIGKILL);
  if (kind == "hang")
    for (volatile bool forever = true; forever;) {
    }
  constexpr size_t piece = 16 << 20;
  std::vector<std::vector<char>> hoard;
  while (kind == "memory") hoard.emplace_back(piece, 1);
}

} // namespace zeroth::compiler
