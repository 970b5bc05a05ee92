// A file, pipe or device that gives lines: /dev/kmsg, or the option `extra_log`. Read only when somebody asks; what was
// written before the first look is not seen. A line longer than Longest is cut there: nobody's file fills the memory.
// One thread at a time.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace zeroth::sysman {

class LineSource {
public:
  static constexpr std::size_t Longest = 64u << 10;

  explicit LineSource(std::string path) : path_(std::move(path)) {}
  ~LineSource();
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;

  // Starts at the end of what is there. False when the file may not be read, or is not there.
  bool open();
  // Hands over every whole line that came since, of a flood of them the first eighty megabytes.
  void read(const std::function<void(std::string_view)>& line);

private:
  void take(std::string_view got, const std::function<void(std::string_view)>& line);

  std::string path_;
  std::string part_; // of a line that has not ended
  int file_ = -1;
};

} // namespace zeroth::sysman
