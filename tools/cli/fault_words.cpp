#include "cli/fault_words.hpp"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <unistd.h>

namespace zeroth::cli {
namespace {

constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
std::string* opening = nullptr;
std::string* closing = nullptr;

void say(const char* text, size_t size) {
  if (write(STDERR_FILENO, text, size) < 0) { /* nobody reads it */
  }
}

// Only what a signal handler may do.
void tell(int number, siginfo_t* info, void*) {
  say(opening->data(), opening->size());
  const bool memory = number == SIGSEGV || number == SIGBUS;
  const char* what = memory             ? "touched memory that is not its own, at 0x"
                     : number == SIGFPE ? "divided by zero"
                                        : "ran no code";
  say(what, std::strlen(what));
  if (memory) {
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, reinterpret_cast<uintptr_t>(info->si_addr), 16).ptr;
    say(digits, static_cast<size_t>(end - digits));
  }
  say(closing->data(), closing->size());
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
