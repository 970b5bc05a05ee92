#include "cli/metrics_server.hpp"

#include "cli/commands.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

namespace zeroth::cli {
namespace {

class Socket {
public:
  explicit Socket(int number) : number_(number) {}
  ~Socket() {
    if (number_ >= 0) ::close(number_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int number() const { return number_; }

private:
  int number_;
};

int listen_on(const std::string& host, const std::string& port) {
  addrinfo wish{}, *found = nullptr;
  wish.ai_family = AF_INET;
  wish.ai_socktype = SOCK_STREAM;
  wish.ai_flags = AI_NUMERICSERV;
  const char* name = host.empty() ? "127.0.0.1" : host.c_str();
  if (const int failed = ::getaddrinfo(name, port.c_str(), &wish, &found))
    throw Failure(fmt::format("{}:{}: {}", name, port, ::gai_strerror(failed)));
  const int open = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  ::setsockopt(open, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const bool bound = ::bind(open, found->ai_addr, found->ai_addrlen) == 0 && ::listen(open, 16) == 0;
  const int number = errno;
  ::freeaddrinfo(found);
  if (!bound) throw Failure(fmt::format("cannot listen on {}:{}: {}", name, port, std::strerror(number)));
  return open;
}

void tell_address(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  char text[INET_ADDRSTRLEN] = {};
  ::inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
  fmt::print("serving http://{}:{}/metrics\n", text, ntohs(address.sin_port));
  std::fflush(stdout);
}

// The request is read, not judged: there is one page.
void answer(int client, const std::string& body) {
  timeval patience{2, 0};
  ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::string request(4096, '\0');
  if (::recv(client, request.data(), request.size(), 0) <= 0) return;
  const std::string page = fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
                                       "Content-Length: {}\r\nConnection: close\r\n\r\n{}",
                                       body.size(), body);
  for (std::size_t sent = 0; sent < page.size();) {
    const ssize_t part = ::send(client, page.data() + sent, page.size() - sent, MSG_NOSIGNAL);
    if (part <= 0) return;
    sent += static_cast<std::size_t>(part);
  }
}

} // namespace

void replace_file(const std::string& path, const std::string& text) {
  const std::string beside = path + ".new";
  std::ofstream(beside) << text;
  std::error_code failed;
  std::filesystem::rename(beside, path, failed);
  if (failed) throw Failure(fmt::format("{} cannot be written: {}", path, failed.message()));
}

int serve_metrics(const std::string& address, std::uint64_t count, const std::function<std::string()>& text) {
  const auto colon = address.rfind(':');
  const Socket listening(listen_on(address.substr(0, colon), address.substr(colon + 1)));
  tell_address(listening.number());
  for (std::uint64_t served = 0; count == 0 || served < count; ++served) {
    const Socket client(::accept4(listening.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (client.number() >= 0) answer(client.number(), text());
  }
  return 0;
}

} // namespace zeroth::cli
