#include "worker_link.hpp"

#include "memory_file.hpp"
#include "protocol.hpp"
#include "spawn.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>

namespace zeroth::compiler {
namespace {

// One lock for all links, held around fork() so that no child inherits it locked. Held for a spawn or a send, no
// longer.
std::mutex link_lock;

void guard_fork() {
  static const int registered =
      pthread_atfork([] { link_lock.lock(); }, [] { link_lock.unlock(); }, [] { link_lock.unlock(); });
  static_cast<void>(registered);
}

struct SocketPair {
  Descriptor ours, theirs;
};

SocketPair make_socket_pair() {
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0)
    throw CompileError(CompileError::Kind::Unavailable, std::string("cannot create a socket: ") + strerror(errno));
  // Hosts may run with descriptors 0 to 2 closed; ours must never take their place.
  for (int& fd : fds) {
    if (fd > 2) continue;
    const int high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    close(fd);
    fd = high;
  }
  return {Descriptor(fds[0]), Descriptor(fds[1])};
}

bool wait_readable(int fd, std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd entry{fd, POLLIN, 0};
    const int ready = poll(&entry, 1, static_cast<int>(std::max<int64_t>(0, left.count())));
    if (ready > 0) return true;
    if (ready == 0) return false;
    if (errno != EINTR) return false;
  }
}

constexpr std::chrono::seconds grace{10};
constexpr int attempts = 4;

} // namespace

CompileReply WorkerLink::compile(Bytes request, std::chrono::milliseconds limit) {
  guard_fork();
  for (int left = attempts;; --left) {
    bool lost = false;
    CompileReply reply = attempt(request, limit, lost);
    if (!lost || left == 1) return reply;
  }
}

CompileReply WorkerLink::attempt(Bytes request, std::chrono::milliseconds limit, bool& lost) {
  Descriptor request_file = make_memory_file("zeroth-request");
  write_all(request_file.get(), request);
  SocketPair pair = make_socket_pair();
  submit(request_file.get(), pair.theirs.get());
  pair.theirs.reset();

  CompileReply reply;
  // The worker keeps the limit itself; this one only guards against a worker that has stopped.
  const auto deadline = std::chrono::steady_clock::now() + limit + grace;
  for (;;) {
    if (!wait_readable(pair.ours.get(), deadline)) {
      reply.failed = true;
      reply.log += "\nthe compiler did not answer in time";
      return reply;
    }
    Message message = receive_message(pair.ours.get());
    std::vector<Descriptor> descriptors;
    for (int fd : message.descriptors) descriptors.emplace_back(fd);
    if (message.data.empty()) {
      reply.failed = lost = true;
      reply.log += "\nthe compiler ended unexpectedly";
      return reply;
    }
    const auto text = std::string(reinterpret_cast<const char*>(message.data.data()) + 1, message.data.size() - 1);
    switch (static_cast<Frame>(message.data[0])) {
    case Frame::Log:
      reply.log += text;
      break;
    case Frame::Done:
      if (descriptors.empty()) {
        lost = reply.failed = true;
        return reply;
      }
      reply.descriptor = std::move(descriptors[0]);
      reply.file = read_all(reply.descriptor.get());
      return reply;
    case Frame::Killed:
      lost = true;
      [[fallthrough]];
    case Frame::Died:
    case Frame::Failed:
      reply.failed = true;
      reply.log += text;
      return reply;
    }
  }
}

void WorkerLink::submit(int request_file, int reply_socket) {
  const int descriptors[] = {request_file, reply_socket};
  const std::lock_guard guard(link_lock);
  if (owner_process_ != getpid()) control_.reset();
  if (control_ && send_message(control_.get(), std::span(&request_message, 1), descriptors)) return;
  start();
  if (!send_message(control_.get(), std::span(&request_message, 1), descriptors))
    throw CompileError(CompileError::Kind::Unavailable, path_ + " ended right after its start");
}

void WorkerLink::start() {
  if (path_.empty())
    throw CompileError(CompileError::Kind::Unavailable,
                       "the program zeroth-kernelc was not found (set ZEROTH_KERNELC to its path)");
  SocketPair pair = make_socket_pair();
  const std::array<std::byte, 4> hello = {std::byte(processes_), std::byte(processes_ >> 8)};
  send_message(pair.ours.get(), hello);
  if (const int error = spawn_detached(path_.c_str(), pair.theirs.get()))
    throw CompileError(CompileError::Kind::Unavailable, "cannot start " + path_ + ": " + strerror(error));
  control_ = std::move(pair.ours);
  owner_process_ = getpid();
}

} // namespace zeroth::compiler
