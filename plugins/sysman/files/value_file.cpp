#include "value_file.hpp"

#include "../parse/numbers.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace zeroth::sysman {
namespace {

Error permission_error(const std::string& path, bool writing) {
  struct stat facts {};
  const char* right = writing ? "CAP_DAC_OVERRIDE" : "CAP_DAC_READ_SEARCH";
  if (::stat(path.c_str(), &facts) != 0)
    return Error(ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS, "{} is hidden from this user; it needs root or {}", path,
                 right);
  return Error(ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS,
               "{} may not be {} by user {}: it belongs to user {} with mode {:04o}", path,
               writing ? "written" : "read", ::geteuid(), facts.st_uid, facts.st_mode & 07777u)
      .advise("run as root, grant the capability {}, or let a udev rule open the file", right);
}

ze_result_t code_of(int number) {
  switch (number) {
  case ENOENT:
  case ENODEV:
  case ENXIO:
  case ENOTDIR:
    return ZE_RESULT_ERROR_DEVICE_LOST;
  case ENOMEM:
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  default: // busy, no data yet, not supported in this state, out of file descriptors
    return ZE_RESULT_ERROR_NOT_AVAILABLE;
  }
}

bool is_gone(int number) { return number == ENODEV || number == ENXIO; }

} // namespace

Error file_error(int number, const std::string& path, bool writing) {
  if (number == EACCES || number == EPERM) return permission_error(path, writing);
  const ze_result_t code = code_of(number);
  const char* what = code == ZE_RESULT_ERROR_DEVICE_LOST ? "what it belonged to is gone" : "it has no value now";
  return Error(code, "{} cannot be {}: {} ({})", path, writing ? "written" : "read", what, std::strerror(number));
}

ValueFile::~ValueFile() {
  if (const int open = file_.load(); open >= 0) ::close(open);
}

int ValueFile::file() const {
  const int known = file_.load(std::memory_order_acquire);
  if (known >= 0) return known;
  const int opened = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0) throw file_error(errno, path_, false);
  int none = -1;
  if (file_.compare_exchange_strong(none, opened)) return opened;
  ::close(opened); // another thread was quicker
  return none;
}

// The same number leads to the new file: other threads may be reading.
void ValueFile::reopen() const {
  const int opened = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0) throw file_error(errno, path_, false);
  ::dup3(opened, file_.load(), O_CLOEXEC);
  ::close(opened);
}

ssize_t ValueFile::read_at(int file, std::span<char> buffer, std::size_t offset) const {
  ssize_t got = 0;
  do got = ::pread(file, buffer.data(), buffer.size(), static_cast<off_t>(offset));
  while (got < 0 && errno == EINTR);
  return got;
}

std::string_view ValueFile::read(std::span<char> buffer) const {
  const int open = file();
  ssize_t got = read_at(open, buffer, 0);
  struct stat facts {};
  const bool vanished = recorded_ && ::fstat(open, &facts) == 0 && facts.st_nlink == 0;
  if (vanished || (got < 0 && is_gone(errno))) { // it may be back under the same name
    reopen();
    got = read_at(open, buffer, 0);
  }
  if (got < 0) throw file_error(errno, path_, false);
  std::string_view text(buffer.data(), static_cast<std::size_t>(got));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return text;
}

std::string ValueFile::read_long() const {
  std::string text(4096, '\0');
  std::size_t size = read(text).size();
  if (size + 1 < text.size()) return text.resize(size), text;
  size = text.size();
  for (ssize_t got = 1; got > 0 && size < (4u << 20); size += static_cast<std::size_t>(std::max<ssize_t>(got, 0))) {
    text.resize(size + 16384);
    got = read_at(file(), std::span(text).subspan(size), size);
    if (got < 0) throw file_error(errno, path_, false);
  }
  return text.resize(size), text;
}

std::int64_t ValueFile::integer() const {
  std::array<char, 64> buffer;
  const std::string_view text = read(buffer);
  if (const auto value = parse::integer(text)) return *value;
  throw Error(ZE_RESULT_ERROR_NOT_AVAILABLE, "{} holds no number but `{}`", path_, text);
}

void ValueFile::write(std::string_view text) const {
  const int open = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | (recorded_ ? O_TRUNC : 0));
  if (open < 0) throw file_error(errno, path_, true);
  const ssize_t put = ::write(open, text.data(), text.size());
  const int number = errno;
  ::close(open);
  if (put == static_cast<ssize_t>(text.size())) return;
  if (number == EINVAL || number == ERANGE)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} does not take `{}`: {}", path_, text, std::strerror(number));
  throw file_error(number, path_, true);
}

SharedFile find_file(const Root& root, std::string_view absolute) {
  return root.exists(absolute) ? std::make_shared<const ValueFile>(root, absolute) : nullptr;
}

} // namespace zeroth::sysman
