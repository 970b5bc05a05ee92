#include "line_source.hpp"

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
    part_.append(buffer, static_cast<std::size_t>(got));
    for (auto end = part_.find('\n'); end != std::string::npos; end = part_.find('\n')) {
      line(std::string_view(part_).substr(0, end));
      part_.erase(0, end + 1);
    }
  }
}

} // namespace zeroth::sysman
