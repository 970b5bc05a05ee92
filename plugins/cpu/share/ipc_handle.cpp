#include "ipc_handle.hpp"

#include "broker.hpp"

#include <sdk/error.hpp>

#include <cerrno>
#include <fcntl.h>
#include <sys/syscall.h>

#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

namespace zeroth::cpu {

namespace {

enum class Found { NotIt, Stale, Alive };

Found judge(int file, const IpcHandle& handle, SharedBlock& block) {
  SharedFileFacts facts;
  if (!read_facts(file, facts) || facts.secret != handle.secret) return Found::NotIt;
  if (!read_block(file, facts, handle.entry, block) || block.id != handle.id) return Found::Stale;
  const bool inside = handle.size != 0 && handle.offset >= block.offset && handle.size <= block.size &&
                      handle.offset - block.offset <= block.size - handle.size;
  return inside ? Found::Alive : Found::NotIt;
}

// `refused`: the process lives, but the system does not let us.
Descriptor take_from_process(const IpcHandle& handle, bool& refused) {
  const Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, handle.process, 0)));
  if (!process) return {};
  Descriptor file(static_cast<int>(syscall(SYS_pidfd_getfd, process.number(), handle.file, 0)));
  refused = !file && errno != EBADF;
  return file;
}

} // namespace

Descriptor fetch_file(const IpcHandle& handle, IpcKind kind, SharedBlock& block) {
  if (handle.kind != kind || !handle.is_sealed())
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("these bytes are no IPC handle of this kind"));
  bool refused = false;
  Found found = judge(handle.file, handle, block);
  Descriptor file;
  if (found != Found::NotIt) {
    file = Descriptor(fcntl(handle.file, F_DUPFD_CLOEXEC, 0));
  } else {
    file = take_from_process(handle, refused);
    found = judge(file.number(), handle, block);
    if (found == Found::NotIt) {
      file = Broker::ask(handle.process, handle.broker, handle.secret);
      found = judge(file.number(), handle, block);
    }
  }
  if (found == Found::Alive && file) return file;
  if (found == Found::NotIt && refused)
    throw Error(ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS, "the descriptor of process {} cannot be had", handle.process)
        .advise("pass the descriptor along over a socket, or run both processes as one user");
  throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "a stale IPC handle: process {} exports this memory no more",
              handle.process);
}

} // namespace zeroth::cpu
