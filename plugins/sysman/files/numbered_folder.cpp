#include "numbered_folder.hpp"

#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace zeroth::sysman {

NumberedFolder::NumberedFolder(std::string path)
    : folder_(::opendir(path.c_str())), path_(std::move(path)), folder_size_(path_.size()), entry_size_(path_.size()) {}

NumberedFolder::~NumberedFolder() {
  if (folder_ != nullptr) ::closedir(folder_);
}

bool NumberedFolder::next() {
  while (const dirent* entry = folder_ != nullptr ? ::readdir(folder_) : nullptr) {
    const char* const end = entry->d_name + std::strlen(entry->d_name);
    const auto [stopped, error] = std::from_chars(entry->d_name, end, number_);
    if (error != std::errc() || stopped != end) continue;
    path_.resize(folder_size_);
    entry_size_ = path_.append(entry->d_name, end).size();
    return true;
  }
  return false;
}

std::string_view NumberedFolder::text(std::string_view behind) {
  const int file = ::open(path(behind).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return {};
  const ssize_t got = ::read(file, text_.data(), text_.size()); // these files give all that they hold at once
  ::close(file);
  return {text_.data(), static_cast<std::size_t>(got > 0 ? got : 0)};
}

std::string_view NumberedFolder::link(std::string_view behind) {
  const ssize_t got = ::readlink(path(behind).c_str(), text_.data(), text_.size());
  return {text_.data(), static_cast<std::size_t>(got > 0 ? got : 0)};
}

const std::string& NumberedFolder::path(std::string_view behind) {
  path_.resize(entry_size_);
  return path_.append(behind);
}

} // namespace zeroth::sysman
