// Stands before the C library's calls that ask the kernel about files and folders: what a reading asks is written down,
// and can be asked again without the reading around it.
#pragma once

#include <cstddef>
#include <string>
#include <sys/types.h>
#include <vector>

namespace zeroth::bench {

struct Question {
  enum class Kind {
    Pread,
    Fstat, // by which files of recorded machines are found to have vanished
    Open,
    Read, // of the file opened last
    Close,
    Link,   // readlink
    Folder, // opendir; of size 0 it failed
    Entry,  // readdir
    EndOfFolder
  } kind;
  int file = -1;
  std::size_t size = 0;
  off_t offset = 0;
  std::string path{};
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
