// A memory file that other processes may map, with a table of its live blocks behind the data. The table is what makes
// a stale handle harmless: whoever opens a block, by whatever way it got the descriptor, looks there first.
//
//   [0, data)          the pages of the blocks
//   [data, end)        header, entries of the blocks, and in the last 8 bytes the size of the data
//
// Threads: publish() and withdraw() of different entries from any thread. Ownership: the file lives as long as anybody
// has it open or mapped; the maker's object withdraws nothing by itself.
#pragma once
#include "descriptor.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace zeroth::cpu {

struct SharedBlock {
  std::uint64_t id = 0; // 0: nothing lives here
  std::uint64_t offset = 0, size = 0;
  std::uint64_t kind = 0; // the maker's own meaning
};

class SharedFile {
public:
  // `bytes` is a multiple of the page size. Throws std::bad_alloc when the system gives no file.
  SharedFile(std::size_t bytes, std::uint32_t blocks);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  int file() const { return file_.number(); }
  std::size_t bytes() const { return bytes_; }
  std::uint64_t secret() const { return secret_; } // tells this file from all others

  void publish(std::uint32_t entry, const SharedBlock& block);
  void withdraw(std::uint32_t entry) noexcept;

  // Another descriptor of the file, whose position is the number of the entry: so a bare descriptor names a block.
  // Falls back to a plain duplicate. Throws std::bad_alloc.
  Descriptor descriptor_of(std::uint32_t entry) const;

private:
  struct Header;
  std::size_t bytes_, table_bytes_;
  Descriptor file_;
  std::uint64_t secret_;
  Header* table_ = nullptr;
};

// Looking into somebody's descriptor. False: it is no such file.
struct SharedFileFacts {
  std::uint64_t secret = 0, bytes = 0, blocks = 0;
};
bool read_facts(int file, SharedFileFacts& facts);
bool read_block(int file, const SharedFileFacts& facts, std::uint32_t entry, SharedBlock& block);

} // namespace zeroth::cpu
