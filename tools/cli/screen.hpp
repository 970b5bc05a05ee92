// The terminal that `zeroth top` draws on, and what ends or cuts short its waiting.
//
// Both are for one thread, and one of each at a time: a terminal and signals belong to the process.
#pragma once

#include <cstddef>
#include <string>
#include <termios.h>
#include <vector>

namespace zeroth::cli {

// The alternate screen without a cursor, keys at once. All is as before when it goes, and while the program is stopped.
class Screen {
public:
  // False for pipes and files, and for terminals that cannot move their cursor (TERM is `dumb` or nothing).
  static bool is_there();

  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  struct Size {
    std::size_t columns = 80, rows = 24;
  };
  static Size size();

  // Lines that are too long are cut by the terminal; there must not be more than it has rows.
  void draw(const std::vector<std::string>& lines) const;

  // Gives the terminal back, stops the program as Ctrl-Z does, and takes the terminal again when it goes on.
  void stop_program();

private:
  void enter();
  void leave() const;

  termios before_{};
};

// Sleeps until it is time, or something happens. Signals come through a pipe: none is lost between two looks.
class Waiter {
public:
  // Takes SIGINT and SIGTERM over for the rest of the process's life; with `keys`, too, those of a terminal's user.
  explicit Waiter(bool keys);

  enum class Wake {
    Time,
    Resized,
    Stop, // Ctrl-Z
    End   // q, Ctrl-C, a signal, or the terminal has gone
  };
  Wake wait(double seconds) const;

private:
  bool keys_;
};

} // namespace zeroth::cli
