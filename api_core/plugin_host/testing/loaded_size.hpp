// How much of a shared object's file the loader needs. What stands behind it (section headers, names, debugging notes)
// differs from tool to tool, and a file that lacks it still loads: a test that cuts a file short must cut in front.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include <elf.h>
#include <link.h>

namespace zeroth {

inline std::size_t loaded_size(const std::string& file) {
  ElfW(Ehdr) header;
  std::memcpy(&header, file.data(), sizeof header);
  std::size_t end = 0;
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    std::memcpy(&segment, file.data() + header.e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_type == PT_LOAD) end = std::max<std::size_t>(end, segment.p_offset + segment.p_filesz);
  }
  return end;
}

} // namespace zeroth
