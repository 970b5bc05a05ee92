// Stands before the C library's pread and fstat: what a reading asks the kernel is written down, and can be asked again
// without the reading around it.
#pragma once

#include <cstddef>
#include <sys/types.h>
#include <vector>

namespace zeroth::bench {

// A pread; of size 0 it is an fstat, by which files of recorded machines are found to have vanished.
struct Question {
  int file;
  std::size_t size;
  off_t offset;
};

void begin_noting(std::vector<Question>* notes);

// What this thread asks during a call.
template <class Call> std::vector<Question> questions_of(Call call) {
  std::vector<Question> notes;
  begin_noting(&notes);
  call();
  begin_noting(nullptr);
  return notes;
}

void ask_again(const std::vector<Question>& questions);

} // namespace zeroth::bench
