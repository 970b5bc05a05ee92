#include "cli/screen.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace zeroth::cli {
namespace {

// The terminal cuts long lines by itself (?7l): how wide a text is depends on its characters.
constexpr const char* Enter = "\033[?1049h\033[?25l\033[?7l";
constexpr const char* Leave = "\033[?7h\033[?25h\033[?1049l";

std::array<int, 2> signals = {-1, -1}; // read end, write end

void tell(int number) {
  const int kept = errno;
  const char byte = static_cast<char>(number);
  [[maybe_unused]] const auto put = ::write(signals[1], &byte, 1);
  errno = kept;
}

// A key that ends the program; also the end of what can be read, which a terminal gives when it has gone.
bool ends_by_key() {
  char key = 0;
  const ssize_t got = ::read(STDIN_FILENO, &key, 1);
  if (got < 0) return errno != EINTR && errno != EAGAIN;
  return got == 0 || key == 'q' || key == 'Q' || key == 3;
}

Waiter::Wake told() {
  char byte = 0;
  if (::read(signals[0], &byte, 1) != 1) return Waiter::Wake::Time;
  if (byte == SIGWINCH) return Waiter::Wake::Resized;
  return byte == SIGTSTP ? Waiter::Wake::Stop : Waiter::Wake::End;
}

} // namespace

bool Screen::is_there() {
  const char* kind = std::getenv("TERM");
  const bool moves = kind != nullptr && *kind != '\0' && std::string_view(kind) != "dumb";
  return moves && ::isatty(STDOUT_FILENO) && ::isatty(STDIN_FILENO);
}

Screen::Screen() { enter(); }
Screen::~Screen() { leave(); }

void Screen::enter() {
  ::tcgetattr(STDIN_FILENO, &before_);
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  std::fputs(Enter, stdout);
}

void Screen::leave() const {
  std::fputs(Leave, stdout);
  std::fflush(stdout);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

Screen::Size Screen::size() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {size.ws_col, size.ws_row};
}

void Screen::draw(const std::vector<std::string>& lines) const {
  std::string page = "\033[H";
  for (std::size_t i = 0; i < lines.size(); ++i) page += (i > 0 ? "\n" : "") + lines[i] + "\033[K";
  page += "\033[J"; // not a line more: on the last row it would scroll
  std::fwrite(page.data(), 1, page.size(), stdout);
  std::fflush(stdout);
}

void Screen::stop_program() {
  leave();
  ::raise(SIGSTOP);
  enter();
}

Waiter::Waiter(bool keys) : keys_(keys) {
  if (signals[0] < 0 && ::pipe2(signals.data(), O_CLOEXEC | O_NONBLOCK) != 0) return;
  for (const int number : {SIGINT, SIGTERM}) std::signal(number, tell);
  if (keys)
    for (const int number : {SIGHUP, SIGWINCH, SIGTSTP}) std::signal(number, tell);
}

Waiter::Wake Waiter::wait(double seconds) const {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return Wake::Time;
    std::array<pollfd, 2> ends = {pollfd{signals[0], POLLIN, 0}, pollfd{keys_ ? STDIN_FILENO : -1, POLLIN, 0}};
    if (::poll(ends.data(), ends.size(), static_cast<int>(left)) <= 0) continue; // time, or a signal's byte is there
    if (ends[0].revents != 0) return told();
    if (ends[1].revents != 0 && ends_by_key()) return Wake::End;
  }
}

} // namespace zeroth::cli
