// zeroth-kernelc: compiles kernels for the client library that starts it. It is no command for people: its one form,
// `zeroth-kernelc --serve`, expects the client's socket as descriptor 3.
#include "../client/build_id.hpp"
#include "../client/protocol.hpp"
#include "dispatcher.hpp"
#include "pipeline.hpp"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

// The host may have left signals blocked or ignored, descriptors open, and its own idea of limits.
void become_independent() {
  syscall(SYS_close_range, zeroth::compiler::worker_control_fd + 1, ~0u, 0);
  fcntl(zeroth::compiler::worker_control_fd, F_SETFD, FD_CLOEXEC);
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  rlimit stack;
  constexpr rlim_t deep_recursion = 64 << 20;
  if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < deep_recursion) {
    stack.rlim_cur = std::min(deep_recursion, stack.rlim_max);
    setrlimit(RLIMIT_STACK, &stack);
  }
  if (chdir("/") != 0) { /* any folder will do */
  }
}

// When memory runs out, the kernel should take a compile, not the program that waits for it.
void offer_memory() {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (write(file, "500", 3) < 0) { /* not allowed here: no harm */
  }
  close(file);
}

} // namespace

int main(int count, char** arguments) {
  if (count != 2 || std::strcmp(arguments[1], "--serve") != 0) {
    std::fputs("zeroth-kernelc is started by Zeroth's device plugins and has no use on its own.\n", stderr);
    return 2;
  }
  become_independent();
  offer_memory();
  zeroth::compiler::initialize_pipeline();
  zeroth::compiler::Dispatcher(zeroth::compiler::worker_control_fd, zeroth::compiler::build_id_of("/proc/self/exe"))
      .run();
  return 0;
}
