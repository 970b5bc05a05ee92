#include "questions.hpp"

#include <cstdarg>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace zeroth::bench {
namespace {

using Kind = Question::Kind;

thread_local std::vector<Question>* noting = nullptr;

void note(Question question) {
  if (noting) noting->push_back(std::move(question));
}

template <class Function> Function next_of(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

#define ZEROTH_NEXT(function) static const auto next = zeroth::bench::next_of<decltype(&::function)>(#function)

} // namespace

void begin_noting(std::vector<Question>* notes) { noting = notes; }

void ask_again(const std::vector<Question>& questions) {
  static char buffer[1 << 20];
  static const auto library_open = next_of<decltype(&::open)>("open");
  static const auto library_read = next_of<decltype(&::read)>("read");
  static const auto library_close = next_of<decltype(&::close)>("close");
  static const auto library_pread = next_of<decltype(&::pread)>("pread");
  static const auto library_fstat = next_of<int (*)(int, struct stat*)>("fstat");
  static const auto library_readlink = next_of<decltype(&::readlink)>("readlink");
  static const auto library_opendir = next_of<decltype(&::opendir)>("opendir");
  static const auto library_readdir = next_of<decltype(&::readdir)>("readdir");
  static const auto library_closedir = next_of<decltype(&::closedir)>("closedir");
  struct stat facts {};
  int file = -1;
  std::vector<DIR*> folders; // those in others stand behind them
  for (const Question& one : questions) switch (one.kind) {
    case Kind::Pread:
      library_pread(one.file, buffer, one.size, one.offset);
      break;
    case Kind::Fstat:
      library_fstat(one.file, &facts);
      break;
    case Kind::Open:
      file = library_open(one.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
      break;
    case Kind::Read:
      library_read(file, buffer, one.size);
      break;
    case Kind::Close:
      if (file >= 0) library_close(file);
      break;
    case Kind::Link:
      library_readlink(one.path.c_str(), buffer, one.size);
      break;
    case Kind::Folder:
      if (DIR* const folder = library_opendir(one.path.c_str()); one.size > 0)
        folders.push_back(folder);
      else if (folder)
        library_closedir(folder);
      break;
    case Kind::Entry:
      if (folders.back()) library_readdir(folders.back());
      break;
    case Kind::EndOfFolder:
      if (folders.back()) library_closedir(folders.back());
      folders.pop_back();
      break;
    }
}

} // namespace zeroth::bench

#define ZEROTH_SEEN extern "C" __attribute__((visibility("default")))
using zeroth::bench::Kind;
using zeroth::bench::note;

ZEROTH_SEEN ssize_t pread(int file, void* to, std::size_t size, off_t offset) {
  ZEROTH_NEXT(pread);
  note({.kind = Kind::Pread, .file = file, .size = size, .offset = offset});
  return next(file, to, size, offset);
}
ZEROTH_SEEN int fstat(int file, struct stat* facts) noexcept {
  static const auto next = zeroth::bench::next_of<int (*)(int, struct stat*)>("fstat");
  note({.kind = Kind::Fstat, .file = file});
  return next(file, facts);
}
ZEROTH_SEEN int open(const char* path, int flags, ...) {
  ZEROTH_NEXT(open);
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  note({.kind = Kind::Open, .path = path});
  return next(path, flags, mode);
}
ZEROTH_SEEN ssize_t read(int file, void* to, std::size_t size) {
  ZEROTH_NEXT(read);
  note({.kind = Kind::Read, .file = file, .size = size});
  return next(file, to, size);
}
ZEROTH_SEEN int close(int file) {
  ZEROTH_NEXT(close);
  note({.kind = Kind::Close, .file = file});
  return next(file);
}
ZEROTH_SEEN ssize_t readlink(const char* path, char* to, std::size_t size) {
  ZEROTH_NEXT(readlink);
  note({.kind = Kind::Link, .size = size, .path = path});
  return next(path, to, size);
}
ZEROTH_SEEN DIR* opendir(const char* path) {
  ZEROTH_NEXT(opendir);
  DIR* const folder = next(path);
  note({.kind = Kind::Folder, .size = folder ? 1u : 0u, .path = path});
  return folder;
}
ZEROTH_SEEN dirent* readdir(DIR* folder) {
  ZEROTH_NEXT(readdir);
  note({.kind = Kind::Entry});
  return next(folder);
}
ZEROTH_SEEN int closedir(DIR* folder) {
  ZEROTH_NEXT(closedir);
  note({.kind = Kind::EndOfFolder});
  return next(folder);
}
