// A folder whose entries are numbers, as /proc has one for each process and fdinfo one for each descriptor. A walk adds
// little to what the kernel takes for it: names, paths and texts stand in buffers that are used again.
//
// One thread. Nothing throws: what cannot be read is empty, a folder that cannot be read has no entries.
#pragma once

#include "root.hpp"

#include <array>
#include <dirent.h>

namespace zeroth::sysman {

class NumberedFolder {
public:
  // A path of the machine that ends with a slash.
  NumberedFolder(const Root& root, std::string_view absolute) : NumberedFolder(root.path(absolute)) {}
  ~NumberedFolder();
  NumberedFolder(const NumberedFolder&) = delete;
  NumberedFolder& operator=(const NumberedFolder&) = delete;

  // Goes to the next entry, in the system's order; other names are passed over.
  bool next();
  std::uint32_t number() const { return number_; }

  // The file behind the entry's name ("/statm", or "" for the entry itself): as much as a page of it. Valid until the
  // next call.
  std::string_view text(std::string_view behind = "");
  // What a link leads to; valid until the next call.
  std::string_view link(std::string_view behind = "");
  // The folder behind the entry's name.
  NumberedFolder below(std::string_view behind) { return NumberedFolder(path(behind)); }

private:
  explicit NumberedFolder(std::string path);
  const std::string& path(std::string_view behind);

  DIR* folder_;
  std::string path_; // the folder's, and what was asked for last
  std::size_t folder_size_, entry_size_;
  std::uint32_t number_ = 0;
  std::array<char, 4096> text_;
};

} // namespace zeroth::sysman
