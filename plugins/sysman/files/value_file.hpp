// One file of the kernel that holds a reading or a setting.
//
// It is opened by the first read and kept open: a reading costs one pread. Any thread may read and write.
// What cannot be read is an Error with the exact code and a text that names the file and the right that is missing:
//   permission denied      INSUFFICIENT_PERMISSIONS
//   the device is gone     DEVICE_LOST (also when a file vanishes that was there when the sensors were looked for)
//   no value at present    NOT_AVAILABLE
#pragma once

#include <sdk/error.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "root.hpp"

namespace zeroth::sysman {

// The error of a failed system call on a file.
Error file_error(int number, const std::string& path, bool writing);

class ValueFile {
public:
  ValueFile(const Root& root, std::string_view absolute) : path_(root.path(absolute)), recorded_(root.recorded()) {}
  ~ValueFile();
  ValueFile(const ValueFile&) = delete;
  ValueFile& operator=(const ValueFile&) = delete;

  const std::string& path() const { return path_; }

  // The file's content in `buffer`, without its last newline. Throws Error.
  std::string_view read(std::span<char> buffer) const;
  // Files longer than a page.
  std::string read_long() const;
  // The number that the file begins with. Throws Error.
  std::int64_t integer() const;

  // Throws Error; NOT_AVAILABLE where the kernel refuses the value itself.
  void write(std::string_view text) const;
  void write(std::int64_t value) const { write(std::to_string(value)); }

private:
  int file() const;
  void reopen() const;
  ssize_t read_at(int file, std::span<char> buffer, std::size_t offset) const;

  std::string path_;
  bool recorded_;
  mutable std::atomic<int> file_{-1};
};

// Readers are shared by the functions of a part, which are copied around.
using SharedFile = std::shared_ptr<const ValueFile>;

// Null when the file is not there.
SharedFile find_file(const Root& root, std::string_view absolute);

} // namespace zeroth::sysman
