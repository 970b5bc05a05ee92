#include "memory_file.hpp"

#include <sdk/size_signal.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>

namespace zeroth::compiler {
namespace {

// Older headers lack it; older kernels answer EINVAL and need no flag.
constexpr unsigned executable_flag = 0x10;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

Descriptor make_temporary_file() {
  const char* folder = secure_getenv("TMPDIR");
  std::string path = std::string(folder && *folder ? folder : P_tmpdir) + "/zeroth-XXXXXX";
  Descriptor file(mkostemp(path.data(), O_CLOEXEC));
  if (!file) fail("cannot create a temporary file");
  unlink(path.c_str());
  return file;
}

// Hosts may run with descriptors 0 to 2 closed; ours must never take their place.
Descriptor above_standard(Descriptor file) {
  if (file.get() > 2) return file;
  return Descriptor(fcntl(file.get(), F_DUPFD_CLOEXEC, 3));
}

} // namespace

Descriptor make_memory_file(const char* name) {
  Descriptor file(memfd_create(name, MFD_CLOEXEC | executable_flag));
  if (!file && errno == EINVAL) file = Descriptor(memfd_create(name, MFD_CLOEXEC));
  if (!file) file = make_temporary_file();
  return above_standard(std::move(file));
}

void write_all(int fd, Bytes data) {
  const SizeSignalHeldBack held_back;
  while (!data.empty()) {
    const ssize_t written = write(fd, data.data(), data.size());
    if (written < 0 && errno != EINTR) fail("cannot write a file");
    if (written > 0) data = data.subspan(written);
  }
}

std::vector<std::byte> read_all(int fd, uint64_t limit) {
  struct stat status;
  if (fstat(fd, &status) != 0) fail("cannot examine a file");
  if (static_cast<uint64_t>(status.st_size) > limit) throw std::system_error(EFBIG, std::generic_category());
  std::vector<std::byte> data(status.st_size);
  size_t at = 0;
  while (at < data.size()) {
    const ssize_t part = pread(fd, data.data() + at, data.size() - at, at);
    if (part < 0 && errno != EINTR) fail("cannot read a file");
    if (part == 0) break;
    if (part > 0) at += part;
  }
  data.resize(at);
  return data;
}

} // namespace zeroth::compiler
