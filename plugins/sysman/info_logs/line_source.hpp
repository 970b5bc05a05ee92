// A file, pipe or device that gives lines: /dev/kmsg, or the option `extra_log`. Read only when somebody asks; what was
// written before the first look is not seen. One thread at a time.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace zeroth::sysman {

class LineSource {
public:
  explicit LineSource(std::string path) : path_(std::move(path)) {}
  ~LineSource();
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;

  // Starts at the end of what is there. False when the file may not be read, or is not there.
  bool open();
  // Hands over every whole line that came since.
  void read(const std::function<void(std::string_view)>& line);

private:
  std::string path_;
  std::string part_; // of a line that has not ended
  int file_ = -1;
};

} // namespace zeroth::sysman
