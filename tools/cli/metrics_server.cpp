#include "cli/metrics_server.hpp"

#include "cli/commands.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

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

using Clock = std::chrono::steady_clock;

constexpr std::size_t MostClients = 64, LongestRequest = 8192;
constexpr std::chrono::seconds Patience{2};

// Somebody who has not said all of the request yet. It is read, not judged: there is one page.
struct Client {
  std::unique_ptr<Socket> socket;
  Clock::time_point until = Clock::now() + Patience;
  std::string request{};

  enum class State { Speaks, Asked, Gone };
  State hear() {
    std::array<char, 4096> part;
    const ssize_t got = ::recv(socket->number(), part.data(), part.size(), MSG_DONTWAIT);
    if (got <= 0) return got < 0 && (errno == EAGAIN || errno == EINTR) ? State::Speaks : State::Gone;
    request.append(part.data(), static_cast<std::size_t>(got));
    return request.find("\r\n\r\n") != std::string::npos || request.size() > LongestRequest ? State::Asked
                                                                                            : State::Speaks;
  }
};

// A client that reads nothing holds the others up for as long as its patience, no longer.
void answer(int client, const std::string& body) {
  const timeval patience{Patience.count(), 0};
  ::setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  const std::string page = fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
                                       "Content-Length: {}\r\nConnection: close\r\n\r\n{}",
                                       body.size(), body);
  for (std::size_t sent = 0; sent < page.size();) {
    const ssize_t part = ::send(client, page.data() + sent, page.size() - sent, MSG_NOSIGNAL);
    if (part <= 0) return;
    sent += static_cast<std::size_t>(part);
  }
}

// All who are connected wait side by side: one that says nothing holds nobody up.
class Server {
public:
  explicit Server(int listening) : listening_(listening) {}

  // Waits for something to happen; how many were answered.
  std::size_t step(const std::function<std::string()>& text) {
    std::vector<pollfd> files{{clients_.size() < MostClients ? listening_ : -1, POLLIN, 0}};
    for (const Client& client : clients_) files.push_back({client.socket->number(), POLLIN, 0});
    if (::poll(files.data(), files.size(), milliseconds_left()) < 0) return 0;
    std::size_t answered = 0;
    for (std::size_t i = 0; i < clients_.size(); ++i)
      if (files[i + 1].revents != 0) answered += serve(clients_[i], text);
    std::erase_if(clients_, [](const Client& client) { return !client.socket || client.until <= Clock::now(); });
    if (files[0].revents != 0) welcome();
    return answered;
  }

private:
  // Until the first of them loses patience; without end when nobody is there.
  int milliseconds_left() const {
    if (clients_.empty()) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(clients_.front().until - Clock::now()).count();
    return static_cast<int>(std::max<long long>(left, 0));
  }
  bool serve(Client& client, const std::function<std::string()>& text) const {
    const Client::State state = client.hear();
    if (state == Client::State::Speaks) return false;
    if (state == Client::State::Asked) answer(client.socket->number(), text());
    client.socket.reset();
    return state == Client::State::Asked;
  }
  void welcome() {
    const int number = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (number >= 0) clients_.push_back({std::make_unique<Socket>(number)});
  }

  int listening_;
  std::vector<Client> clients_; // the longest here first
};

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
  Server server(listening.number());
  for (std::uint64_t served = 0; count == 0 || served < count;) served += server.step(text);
  return 0;
}

} // namespace zeroth::cli
