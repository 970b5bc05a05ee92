#include "build_id.hpp"

#include "descriptor.hpp"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <vector>

namespace zeroth::compiler {
namespace {

constexpr size_t largest_note = 64 << 10;

bool read_at(int fd, void* into, size_t size, uint64_t offset) {
  return pread(fd, into, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

std::string hex(const uint8_t* data, size_t size) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < size; ++i) (text += digits[data[i] >> 4]) += digits[data[i] & 15];
  return text;
}

// Notes: a header of three words, then name and description, each padded to a word.
std::string find_in_notes(const std::vector<uint8_t>& notes) {
  const auto padded = [](uint64_t n) { return (n + 3) & ~uint64_t{3}; };
  for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
    Elf64_Nhdr note;
    std::memcpy(&note, notes.data() + at, sizeof note);
    const uint64_t description = at + sizeof note + padded(note.n_namesz);
    if (description > notes.size() || note.n_descsz > notes.size() - description) break;
    if (note.n_type == NT_GNU_BUILD_ID) return hex(notes.data() + description, note.n_descsz);
    at = description + padded(note.n_descsz);
  }
  return "";
}

std::string read_note(int fd) {
  Elf64_Ehdr header;
  if (!read_at(fd, &header, sizeof header, 0) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return "";
  for (uint32_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!read_at(fd, &segment, sizeof segment, header.e_phoff + uint64_t{i} * sizeof segment)) break;
    if (segment.p_type != PT_NOTE || segment.p_filesz > largest_note) continue;
    std::vector<uint8_t> notes(segment.p_filesz);
    if (!read_at(fd, notes.data(), notes.size(), segment.p_offset)) continue;
    if (std::string id = find_in_notes(notes); !id.empty()) return id;
  }
  return "";
}

} // namespace

std::string build_id_of(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return "";
  if (std::string id = read_note(file.get()); !id.empty()) return id;
  struct stat status;
  if (fstat(file.get(), &status) != 0) return "";
  return std::to_string(status.st_size) + "-" + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

} // namespace zeroth::compiler
