// A shared file of this process with the handles that were given out for its blocks.
// Threads: any; one lock for all files, since exports are rare. Ownership: destruction makes all its handles stale.
#pragma once
#include "ipc_handle.hpp"

#include <map>

namespace zeroth::cpu {

class ExportedFile {
public:
  ExportedFile(std::size_t bytes, std::uint32_t blocks); // as SharedFile
  ~ExportedFile();

  int file() const { return shared_.file(); }
  std::size_t bytes() const { return shared_.bytes(); }

  // A handle of the whole block. With a descriptor of its own a block can be told from the others by it alone.
  // Throws std::bad_alloc.
  IpcHandle get(IpcKind kind, std::uint32_t entry, const SharedBlock& block, bool own_descriptor);
  // The block is gone.
  void withdraw(std::uint32_t entry) noexcept;

  // Takes a handle back; after the last one of a block it cannot be opened any more. Once more is no error. False: the
  // handle is not this process's, or its block is gone.
  static bool put(const IpcHandle& handle) noexcept;

  // A descriptor of the handle's block that went to the program as external memory.
  static void note_descriptor(const IpcHandle& handle, int file) noexcept;
  // The last one of them, if the program still has it; else the one in the handle.
  static int descriptor_of(const IpcHandle& handle) noexcept;

private:
  struct Given {
    std::uint64_t id = 0;
    std::uint32_t handles = 0;
    Descriptor own;
    int programs = -1; // see note_descriptor()
  };
  static Given* find_given(const IpcHandle& handle); // under the lock

  SharedFile shared_;
  std::map<std::uint32_t, Given> given_;
};

} // namespace zeroth::cpu
