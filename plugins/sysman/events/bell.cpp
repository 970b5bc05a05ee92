#include "bell.hpp"

#include "notices.hpp"

#include <algorithm>
#include <cstdint>
#include <linux/netlink.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace zeroth::sysman {
namespace {

// The kernel's own device events need no right; where even that is closed, the interval still looks.
int open_device_events() {
  const int open = ::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  address.nl_groups = 1;
  if (open >= 0 && ::bind(open, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return open;
  if (open >= 0) ::close(open);
  return -1;
}

// Most of what they say is looked up in the files themselves.
void hear(int socket) noexcept {
  char text[8192];
  for (ssize_t got = 1; got > 0;) {
    got = ::recv(socket, text, sizeof text, MSG_DONTWAIT);
    if (got > 0) notices().take({text, static_cast<std::size_t>(got)});
  }
}

} // namespace

Bell& bell() {
  static Bell& only = *new Bell;
  return only;
}

void Bell::ring() noexcept {
  const std::lock_guard lock(mutex_);
  const std::uint64_t one = 1;
  for (const int ear : ears_) [[maybe_unused]] const ssize_t written = ::write(ear, &one, sizeof one);
}

Bell::Ear::Ear(Bell& bell, bool devices) : bell_(bell), event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (devices) devices_ = open_device_events();
  const std::lock_guard lock(bell_.mutex_);
  bell_.ears_.push_back(event_);
}

Bell::Ear::~Ear() {
  {
    const std::lock_guard lock(bell_.mutex_);
    std::erase(bell_.ears_, event_);
  }
  if (event_ >= 0) ::close(event_);
  if (devices_ >= 0) ::close(devices_);
}

Bell::Ear::Woken Bell::Ear::wait(std::chrono::milliseconds most) noexcept {
  pollfd sources[2] = {{event_, POLLIN, 0}, {devices_, POLLIN, 0}};
  ::poll(sources, 2, static_cast<int>(std::clamp<std::int64_t>(most.count(), 0, INT32_MAX)));
  std::uint64_t rings = 0;
  if (sources[0].revents) [[maybe_unused]]
    const ssize_t got = ::read(event_, &rings, sizeof rings);
  const bool device = devices_ >= 0 && sources[1].revents;
  if (device) hear(devices_);
  if (sources[0].revents) return Woken::Bell;
  return device ? Woken::Device : Woken::Time;
}

} // namespace zeroth::sysman
