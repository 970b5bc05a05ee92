#include "sandbox.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace zeroth::compiler {
namespace {

#if defined(__x86_64__)

constexpr uint32_t refused[] = {
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_execve,
    SYS_execveat,
    SYS_fork,
    SYS_vfork,
    SYS_kill,
    SYS_ptrace,
    SYS_unlink,
    SYS_unlinkat,
    SYS_rename,
    SYS_renameat,
    SYS_renameat2,
    SYS_mkdir,
    SYS_mkdirat,
    SYS_rmdir,
    SYS_link,
    SYS_linkat,
    SYS_symlink,
    SYS_symlinkat,
    SYS_chmod,
    SYS_fchmod,
    SYS_fchmodat,
    SYS_chown,
    SYS_fchown,
    SYS_lchown,
    SYS_fchownat,
    SYS_mknod,
    SYS_mknodat,
    SYS_creat,
    SYS_truncate,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_setuid,
    SYS_setgid,
    SYS_setresuid,
    SYS_setresgid,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_io_setup,
    SYS_init_module,
    SYS_finit_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_settimeofday,
    SYS_process_vm_readv,
    SYS_process_vm_writev,

    425 /* io_uring_setup */,

    437 /* openat2 */,
};

constexpr sock_filter load(size_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset)); }
constexpr sock_filter answer(uint32_t action) { return BPF_STMT(BPF_RET | BPF_K, action); }
constexpr size_t argument(int index) { return offsetof(seccomp_data, args) + 8 * index; } // its low half

// Refuse a call if the given argument, the flags of an open, asks for more than reading.
void refuse_writing(std::vector<sock_filter>& program, uint32_t call, int flags_index) {
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4));
  program.push_back(load(argument(flags_index)));
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1));
  program.push_back(answer(SECCOMP_RET_ERRNO | EPERM));
  program.push_back(answer(SECCOMP_RET_ALLOW));
}

// New threads are fine, new processes are not. clone3 has its flags where a filter cannot look: claimed not to exist,
// so that the C library uses clone.
void refuse_processes(std::vector<sock_filter>& program) {
  constexpr uint32_t clone3 = 435;
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, clone3, 0, 1));
  program.push_back(answer(SECCOMP_RET_ERRNO | ENOSYS));
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4));
  program.push_back(load(argument(0)));
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
  program.push_back(answer(SECCOMP_RET_ERRNO | EPERM));
  program.push_back(answer(SECCOMP_RET_ALLOW));
}

bool filter_calls() {
  std::vector<sock_filter> program = {
      load(offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
      answer(SECCOMP_RET_KILL_PROCESS),
      load(offsetof(seccomp_data, nr)),
  };
  for (uint32_t call : refused) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    program.push_back(answer(SECCOMP_RET_ERRNO | EPERM));
  }
  refuse_processes(program);
  refuse_writing(program, SYS_open, 1);
  refuse_writing(program, SYS_openat, 2);
  program.push_back(answer(SECCOMP_RET_ALLOW));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

#else
bool filter_calls() { return false; }
#endif

// Sanitizers report through files and programs of their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool Sanitized = true;
#else
constexpr bool Sanitized = false;
#endif

// Landlock's first version: every right to change a file system, granted nowhere. (Numbers: older headers lack them.)
bool forbid_writing() {
  constexpr long create_ruleset = 444, restrict_self = 446;
  const struct {
    uint64_t handled_access_fs;
  } rules{1u << 1 | (0x1fffu & ~0xfu)}; // write a file; remove and make anything
  const int ruleset = static_cast<int>(syscall(create_ruleset, &rules, sizeof rules, 0));
  if (ruleset < 0) return false;
  const bool restricted = syscall(restrict_self, ruleset, 0) == 0;
  close(ruleset);
  return restricted;
}

} // namespace

bool enter_sandbox() {
  if (Sanitized || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  const bool locked = forbid_writing();
  const bool filtered = filter_calls();
  return locked || filtered;
}

} // namespace zeroth::compiler
