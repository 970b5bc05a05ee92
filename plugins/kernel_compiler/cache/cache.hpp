// The disk cache of compiled modules: one file an entry, named by the digest of everything that decides its content.
//
//   <folder>/v1/<first two hex digits>/<62 more>       a native binary as client/native_format.hpp describes it
//   <folder>/v1/tmp/<random>                           being written; published by rename, removed when a day old
//
// Any number of processes may use, kill, truncate or clear it at the same time: a reader takes nothing whose digest
// does not match, a writer publishes whole files only, and a failure of the file system means "not cached", never an
// error. The file's modification time is its last use; store() removes the longest unused entries beyond the size
// bound.
#pragma once

#include "../client/digest.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace zeroth::compiler {

class Cache {
public:
  // An empty folder name makes a cache that keeps nothing.
  Cache(std::string folder, uint64_t limit_bytes);

  // $ZEROTH_CACHE_DIR, else $XDG_CACHE_HOME/zeroth, else $HOME/.cache/zeroth where that home exists; "" when none is
  // set, and in privileged processes, which must not run what their caller's folders hold.
  static std::string default_folder();
  // $ZEROTH_CACHE is 0.
  static bool switched_off();

  // The file's bytes, unchecked: the caller verifies them and calls drop() if they are damaged.
  std::optional<std::vector<std::byte>> find(const Digest& key) const;
  void store(const Digest& key, std::span<const std::byte> file) const;
  void drop(const Digest& key) const;

  struct Statistics {
    uint64_t entries = 0, bytes = 0, limit = 0;
  };
  Statistics statistics() const;
  void clear() const;
  // Checks every entry with `valid` and removes those that fail; returns how many were removed.
  uint64_t verify(bool (*valid)(std::span<const std::byte> file)) const;

  const std::string& folder() const { return folder_; }

private:
  std::string path_of(const Digest& key) const;
  void shrink() const;

  std::string folder_; // with the version, or ""
  uint64_t limit_;
};

} // namespace zeroth::compiler
