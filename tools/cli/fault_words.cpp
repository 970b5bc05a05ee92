#include "cli/fault_words.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <unistd.h>

namespace zeroth::cli {
namespace {

constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
std::string* opening = nullptr;
std::string* closing = nullptr;

std::atomic_flag told = ATOMIC_FLAG_INIT;

// One line on a signal handler's stack; what does not fit is left out.
struct Line {
  char text[1024];
  size_t size = 0;

  void add(const char* more, size_t length) {
    const size_t fits = std::min(length, sizeof text - size);
    std::memcpy(text + size, more, fits);
    size += fits;
  }
};

// Only what a signal handler may do. Of threads that fault at once the first one speaks, in one write, and ends the
// program; the others wait for that.
void tell(int number, siginfo_t* info, void*) {
  while (told.test_and_set()) pause();
  Line line;
  line.add(opening->data(), opening->size());
  const bool memory = number == SIGSEGV || number == SIGBUS;
  const char* what = memory             ? "touched memory that is not its own, at 0x"
                     : number == SIGFPE ? "divided by zero"
                                        : "ran no code";
  line.add(what, std::strlen(what));
  if (memory) {
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, reinterpret_cast<uintptr_t>(info->si_addr), 16).ptr;
    line.add(digits, static_cast<size_t>(end - digits));
  }
  line.add(closing->data(), closing->size());
  if (write(STDERR_FILENO, line.text, line.size) < 0) { /* nobody reads it */
  }
  signal(number, SIG_DFL);
  raise(number);
}

} // namespace

FaultWords::FaultWords(const std::string& kernel, const std::string& hint) {
  opening = new std::string("zeroth: kernel \"" + kernel + "\" ");
  closing = new std::string((hint.empty() ? "" : "; " + hint) + "\n");
  struct sigaction action {};
  action.sa_sigaction = tell;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &action, &before_[i]);
}

FaultWords::~FaultWords() {
  for (size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &before_[i], nullptr);
  delete opening;
  delete closing;
}

} // namespace zeroth::cli
