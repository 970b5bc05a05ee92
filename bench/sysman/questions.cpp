#include "questions.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

namespace zeroth::bench {
namespace {

thread_local std::vector<Question>* noting = nullptr;

void note(const Question& question) {
  if (noting) noting->push_back(question);
}

auto library_pread() {
  static const auto next = reinterpret_cast<ssize_t (*)(int, void*, std::size_t, off_t)>(dlsym(RTLD_NEXT, "pread"));
  return next;
}
auto library_fstat() {
  static const auto next = reinterpret_cast<int (*)(int, struct stat*)>(dlsym(RTLD_NEXT, "fstat"));
  return next;
}

} // namespace

void begin_noting(std::vector<Question>* notes) { noting = notes; }

void ask_again(const std::vector<Question>& questions) {
  static char buffer[1 << 20];
  struct stat facts {};
  const auto read = library_pread();
  const auto stat = library_fstat();
  for (const Question& one : questions)
    if (one.size > 0)
      read(one.file, buffer, one.size, one.offset);
    else
      stat(one.file, &facts);
}

} // namespace zeroth::bench

extern "C" {
__attribute__((visibility("default"))) ssize_t pread(int file, void* to, std::size_t size, off_t offset) {
  zeroth::bench::note({file, size, offset});
  return zeroth::bench::library_pread()(file, to, size, offset);
}
__attribute__((visibility("default"))) int fstat(int file, struct stat* facts) noexcept {
  zeroth::bench::note({file, 0, 0});
  return zeroth::bench::library_fstat()(file, facts);
}
}
