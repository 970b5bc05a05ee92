#include "shared_file.hpp"

#include "../memory/pages.hpp"

#include <sdk/size_signal.hpp>

#include <cstring>
#include <fcntl.h>
#include <new>
#include <string>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>

namespace zeroth::cpu {

namespace {

constexpr std::uint64_t Magic = 0x317265687468735a; // the format's name and version

std::uint64_t random_number() {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) throw std::bad_alloc();
  return number | 1;
}

template <class T> bool read_at(int file, std::uint64_t at, T& value) {
  return pread(file, &value, sizeof value, static_cast<off_t>(at)) == static_cast<ssize_t>(sizeof value);
}

} // namespace

struct SharedFile::Header {
  std::uint64_t magic, secret, blocks, reserved;
  struct Entry {
    std::atomic<std::uint64_t> id;
    std::uint64_t offset, size, kind;
  };
  Entry entries[1];

  static std::size_t bytes_for(std::uint32_t blocks) {
    return round_up(offsetof(Header, entries) + blocks * sizeof(Entry) + sizeof(std::uint64_t), base_page_size());
  }
};

SharedFile::SharedFile(std::size_t bytes, std::uint32_t blocks)
    : bytes_(bytes), table_bytes_(Header::bytes_for(blocks)),
      file_(memfd_create("zeroth-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING)), secret_(random_number()) {
  const SizeSignalHeldBack held_back;
  if (!file_ || ftruncate(file(), static_cast<off_t>(bytes_ + table_bytes_)) != 0) throw std::bad_alloc();
  fcntl(file(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL); // nobody can pull pages away from under others
  void* table = mmap(nullptr, table_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file(), static_cast<off_t>(bytes_));
  if (table == MAP_FAILED) throw std::bad_alloc();
  table_ = static_cast<Header*>(table);
  table_->magic = Magic;
  table_->secret = secret_;
  table_->blocks = blocks;
  const std::uint64_t size = bytes_;
  std::memcpy(static_cast<std::byte*>(table) + table_bytes_ - sizeof size, &size, sizeof size);
}

SharedFile::~SharedFile() { munmap(table_, table_bytes_); }

void SharedFile::publish(std::uint32_t entry, const SharedBlock& block) {
  Header::Entry& to = table_->entries[entry];
  to.offset = block.offset;
  to.size = block.size;
  to.kind = block.kind;
  to.id.store(block.id, std::memory_order_release);
}

void SharedFile::withdraw(std::uint32_t entry) noexcept {
  table_->entries[entry].id.store(0, std::memory_order_release);
}

Descriptor SharedFile::descriptor_of(std::uint32_t entry) const {
  const std::string path = "/proc/self/fd/" + std::to_string(file());
  Descriptor own(open(path.c_str(), O_RDWR | O_CLOEXEC)); // an open file of its own, hence a position of its own
  if (own) {
    lseek(own.number(), entry, SEEK_SET);
  } else {
    own = Descriptor(fcntl(file(), F_DUPFD_CLOEXEC, 0));
  }
  if (!own) throw std::bad_alloc();
  return own;
}

bool read_facts(int file, SharedFileFacts& facts) {
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < 4096) return false;
  const auto end = static_cast<std::uint64_t>(status.st_size);
  if (!read_at(file, end - sizeof facts.bytes, facts.bytes) || facts.bytes >= end) return false;
  std::uint64_t header[3];
  if (!read_at(file, facts.bytes, header) || header[0] != Magic) return false;
  facts.secret = header[1];
  facts.blocks = header[2];
  return true;
}

bool read_block(int file, const SharedFileFacts& facts, std::uint32_t entry, SharedBlock& block) {
  constexpr std::uint64_t HeaderBytes = 4 * sizeof(std::uint64_t);
  if (entry >= facts.blocks) return false;
  return read_at(file, facts.bytes + HeaderBytes + entry * sizeof(SharedBlock), block) && block.id != 0 &&
         block.offset <= facts.bytes && block.size <= facts.bytes - block.offset;
}

} // namespace zeroth::cpu
