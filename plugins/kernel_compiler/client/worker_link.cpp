#include "worker_link.hpp"

#include "memory_file.hpp"
#include "protocol.hpp"
#include "spawn.hpp"

#include <array>
#include <atomic>
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

namespace {

class PendingReply final : public PendingCompile {
public:
  PendingReply(WorkerLink& link, std::vector<std::byte> request, std::chrono::milliseconds limit)
      : link_(link), request_(std::move(request)), limit_(limit) {
    send();
  }

  bool wait(Deadline deadline) override {
    // A child of fork() shares the socket with its parent: one that waits asks anew.
    if (!ended_ && owner_process_ != getpid()) {
      if (deadline == Deadline{}) return false;
      send();
    }
    while (!ended_) {
      // The worker keeps the limit itself; this one only guards against a worker that has stopped.
      if (wait_readable(socket_.get(), std::min(deadline, give_up_)))
        read_frame();
      else if (std::chrono::steady_clock::now() >= give_up_)
        fail("\nthe compiler did not answer in time");
      else
        return false;
    }
    return true;
  }
  CompileReply take() override { return std::move(reply_); }
  int readable() const override { return socket_.get(); }
  void cancel() noexcept override {
    const std::lock_guard guard(socket_lock_);
    cancelled_ = true;
    shutdown(socket_.get(), SHUT_RDWR);
  }

private:
  void send() {
    --attempts_left_;
    reply_ = {};
    Descriptor socket = link_.submit(request_);
    {
      const std::lock_guard guard(socket_lock_);
      socket_ = std::move(socket);
      if (cancelled_) shutdown(socket_.get(), SHUT_RDWR);
    }
    owner_process_ = getpid();
    give_up_ = std::chrono::steady_clock::now() + limit_ + grace;
  }

  void fail(const char* why) {
    reply_.log += why;
    reply_.failed = ended_ = true;
  }
  void lose(const std::string& why) {
    if (attempts_left_ > 0 && !cancelled_) return send();
    fail(why.c_str());
  }

  void read_frame() {
    Message message = receive_message(socket_.get());
    std::vector<Descriptor> descriptors;
    for (int fd : message.descriptors) descriptors.emplace_back(fd);
    if (message.data.empty()) return lose("\nthe compiler ended unexpectedly");
    const auto text = std::string(reinterpret_cast<const char*>(message.data.data()) + 1, message.data.size() - 1);
    switch (static_cast<Frame>(message.data[0])) {
    case Frame::Log:
      reply_.log += text;
      return;
    case Frame::Done:
      if (descriptors.empty()) return lose("\nthe compiler's answer is incomplete");
      reply_.descriptor = std::move(descriptors[0]);
      reply_.file = read_all(reply_.descriptor.get());
      ended_ = true;
      return;
    case Frame::Killed:
      return lose(text);
    case Frame::Died:
    case Frame::Failed:
      return fail(text.c_str());
    }
  }

  WorkerLink& link_;
  const std::vector<std::byte> request_;
  const std::chrono::milliseconds limit_;
  Descriptor socket_;
  int owner_process_ = 0;
  Deadline give_up_;
  CompileReply reply_;
  int attempts_left_ = attempts;
  bool ended_ = false;
  std::mutex socket_lock_; // against cancel()
  std::atomic<bool> cancelled_{false};
};

} // namespace

std::unique_ptr<PendingCompile> WorkerLink::start(std::vector<std::byte> request, std::chrono::milliseconds limit) {
  guard_fork();
  return std::make_unique<PendingReply>(*this, std::move(request), limit);
}

Descriptor WorkerLink::submit(Bytes request) {
  Descriptor request_file = make_memory_file("zeroth-request");
  write_all(request_file.get(), request);
  SocketPair pair = make_socket_pair();
  send(request_file.get(), pair.theirs.get());
  return std::move(pair.ours);
}

void WorkerLink::send(int request_file, int reply_socket) {
  const int descriptors[] = {request_file, reply_socket};
  const std::lock_guard guard(link_lock);
  if (owner_process_ != getpid()) control_.reset();
  if (control_ && send_message(control_.get(), std::span(&request_message, 1), descriptors)) return;
  start_worker();
  if (!send_message(control_.get(), std::span(&request_message, 1), descriptors))
    throw CompileError(CompileError::Kind::Unavailable, path_ + " ended right after its start");
}

void WorkerLink::start_worker() {
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
