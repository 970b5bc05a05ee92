#include "line_source.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace zeroth::sysman {

LineSource::~LineSource() {
  if (file_ >= 0) ::close(file_);
}

bool LineSource::open() {
  if (file_ >= 0) return true;
  if (path_.empty()) return false;
  file_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file_ >= 0) ::lseek(file_, 0, SEEK_END); // a pipe has no end, and no past either
  return file_ >= 0;
}

void LineSource::read(const std::function<void(std::string_view)>& line) {
  if (file_ < 0) return;
  char buffer[8192];
  for (int turns = 0; turns < 10'000; ++turns) {
    const ssize_t got = ::read(file_, buffer, sizeof buffer);
    if (got < 0 && errno == EPIPE) continue; // the kernel has overwritten records that we were too slow for
    if (got <= 0) return;
    take({buffer, static_cast<std::size_t>(got)}, line);
  }
}

void LineSource::take(std::string_view got, const std::function<void(std::string_view)>& line) {
  while (!got.empty()) {
    const auto end = got.find('\n');
    part_.append(got.substr(0, std::min(end, Longest - part_.size())));
    if (end == std::string_view::npos) return;
    line(part_);
    part_.clear();
    got.remove_prefix(end + 1);
  }
}

} // namespace zeroth::sysman
