#include "broker.hpp"

#include <sdk/log.hpp>

#include <atomic>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <string>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>
#include <thread>

namespace zeroth::cpu {

namespace {

struct Address {
  sockaddr_un path{};
  socklen_t size = 0;

  Address(int process, std::uint64_t number) {
    const std::string name = "zeroth-ipc-" + std::to_string(process) + '-' + std::to_string(number);
    path.sun_family = AF_UNIX;
    std::memcpy(path.sun_path + 1, name.data(), name.size()); // a leading zero: in no folder, gone with its owner
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  }
  const sockaddr* base() const { return reinterpret_cast<const sockaddr*>(&path); }
};

// One byte, with a descriptor beside it if there is one.
void send_descriptor(int to, int file) {
  char byte = 0;
  iovec content{&byte, 1};
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof file)] = {};
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  if (file >= 0) {
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
  }
  sendmsg(to, &message, MSG_NOSIGNAL);
}

Descriptor receive_descriptor(int from) {
  char byte;
  iovec content{&byte, 1};
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  message.msg_control = room;
  message.msg_controllen = sizeof room;
  if (recvmsg(from, &message, MSG_CMSG_CLOEXEC) != 1) return {};
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_type != SCM_RIGHTS) return {};
  int file = -1;
  std::memcpy(&file, CMSG_DATA(header), sizeof file);
  return Descriptor(file);
}

// A client that says nothing holds up the others for as long as the server waits for it: they wait longer.
constexpr timeval ServerWaits{0, 100'000}, ClientWaits{10, 0};

void limit_waits(int socket, const timeval& time) {
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

bool same_user(int client) {
  ucred who{};
  socklen_t size = sizeof who;
  return getsockopt(client, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && (who.uid == geteuid() || who.uid == 0);
}

} // namespace

struct Broker::Offers {
  std::mutex mutex;
  std::map<std::uint64_t, int> files;
};

Broker& Broker::shared() {
  static std::atomic<Broker*> current{nullptr};
  static std::atomic<pid_t> owner{0};
  static std::mutex creation;
  if (owner.load(std::memory_order_acquire) != getpid()) {
    std::lock_guard lock(creation);
    if (owner.load(std::memory_order_relaxed) != getpid()) {
      current.store(new Broker, std::memory_order_relaxed); // its thread may outlive main
      owner.store(getpid(), std::memory_order_release);
    }
  }
  return *current.load(std::memory_order_relaxed);
}

Broker::Broker() : offers_(std::make_unique<Offers>()) {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) return;
  const Address address(getpid(), number);
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!socket || bind(socket.number(), address.base(), address.size) != 0 || listen(socket.number(), 64) != 0) {
    log(Level::Warning, "no socket for handing out descriptors: {}", std::strerror(errno));
    return;
  }
  socket_ = std::move(socket);
  address_ = number;
  try {
    std::thread([this] { serve(); }).detach();
  } catch (const std::system_error& error) {
    log(Level::Warning, "no thread for handing out descriptors: {}", error.what());
  }
}

void Broker::serve() noexcept {
  for (;;) {
    const Descriptor client(accept4(socket_.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (client) {
      answer(client.number());
    } else if (errno != EINTR && errno != ECONNABORTED) {
      usleep(10'000); // out of descriptors, most likely
    }
  }
}

void Broker::answer(int client) noexcept {
  limit_waits(client, ServerWaits);
  std::uint64_t secret = 0;
  if (!same_user(client) || recv(client, &secret, sizeof secret, 0) != sizeof secret) return;
  std::lock_guard lock(offers_->mutex); // so that the descriptor stays what it is while it is sent
  const auto found = offers_->files.find(secret);
  send_descriptor(client, found == offers_->files.end() ? -1 : found->second);
}

void Broker::offer(std::uint64_t secret, int file) {
  std::lock_guard lock(offers_->mutex);
  offers_->files[secret] = file;
}

void Broker::withdraw(std::uint64_t secret) noexcept {
  std::lock_guard lock(offers_->mutex);
  offers_->files.erase(secret);
}

Descriptor Broker::ask(int process, std::uint64_t number, std::uint64_t secret) {
  const Address address(process, number);
  const Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!socket) return {};
  limit_waits(socket.number(), ClientWaits);
  if (connect(socket.number(), address.base(), address.size) != 0) return {};
  if (send(socket.number(), &secret, sizeof secret, MSG_NOSIGNAL) != sizeof secret) return {};
  return receive_descriptor(socket.number());
}

} // namespace zeroth::cpu
