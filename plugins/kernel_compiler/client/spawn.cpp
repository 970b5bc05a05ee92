#include "spawn.hpp"

#include "protocol.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

// Both children share this process's memory while it is suspended (vfork), so instrumentation must stay out of them.
#define ZEROTH_VFORK_CHILD __attribute__((no_sanitize("address", "thread", "undefined")))

#if defined(__SANITIZE_THREAD__)
// Thread sanitizer takes each clone() for a fork with memory of its own and loses track of this thread.
extern "C" int __clone(int (*function)(void*), void* stack, int flags, void* argument, ...);
#define ZEROTH_CLONE __clone
#else
#define ZEROTH_CLONE clone
#endif

namespace zeroth::compiler {
namespace {

constexpr size_t stack_size = 16 << 10;

struct Plan {
  const char* path;
  int control;
  int null_device;
  int error;
  alignas(16) char inner_stack[stack_size];
  alignas(16) char outer_stack[stack_size];
};

ZEROTH_VFORK_CHILD int run_program(void* argument) {
  Plan& plan = *static_cast<Plan*>(argument);
  setsid();
  for (int fd = 0; fd < 3; ++fd) dup2(plan.null_device, fd);
  dup2(plan.control, worker_control_fd);
  char* const arguments[] = {const_cast<char*>("zeroth-kernelc"), const_cast<char*>("--serve"), nullptr};
  char* const environment[] = {nullptr};
  execve(plan.path, arguments, environment);
  plan.error = errno;
  _exit(127);
}

// Exit signal 0: nobody is told when this process, the program's parent, ends; the program then belongs to init.
ZEROTH_VFORK_CHILD int start_program(void* argument) {
  Plan& plan = *static_cast<Plan*>(argument);
  const int pid = ZEROTH_CLONE(run_program, plan.inner_stack + stack_size, CLONE_VM | CLONE_VFORK | SIGCHLD, argument);
  if (pid < 0) plan.error = errno;
  _exit(0);
}

int duplicate_above_targets(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, worker_control_fd + 1); }

} // namespace

int spawn_detached(const char* path, int control) {
  // Sources above every target, so that no dup2 overwrites one that is still needed.
  const int high_control = duplicate_above_targets(control);
  const int opened = open("/dev/null", O_RDWR | O_CLOEXEC);
  const int null_device = opened < 0 ? -1 : duplicate_above_targets(opened);
  const int shortage = high_control < 0 || null_device < 0 ? errno : 0;
  if (opened >= 0) close(opened);
  if (shortage) {
    if (high_control >= 0) close(high_control);
    if (null_device >= 0) close(null_device);
    return shortage;
  }

  // No handler of the host may run in a child that shares its memory.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  Plan plan;
  plan.path = path;
  plan.control = high_control;
  plan.null_device = null_device;
  plan.error = 0;
  const int pid = ZEROTH_CLONE(start_program, plan.outer_stack + stack_size, CLONE_VM | CLONE_VFORK, &plan);
  int error = pid < 0 ? errno : plan.error;
  if (pid > 0) {
    int status;
    while (waitpid(pid, &status, __WCLONE) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  close(high_control);
  close(null_device);
  return error;
}

} // namespace zeroth::compiler
