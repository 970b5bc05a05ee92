#include "root.hpp"

#include "../parse/numbers.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace zeroth::sysman {
namespace {

constexpr std::size_t LargestFile = 256u << 10;

bool before(const std::string& left, const std::string& right) { return strverscmp(left.c_str(), right.c_str()) < 0; }

std::optional<std::string> read_all(int file) {
  std::string text;
  std::array<char, 4096> part;
  ssize_t got = 0;
  while (text.size() < LargestFile && (got = ::read(file, part.data(), part.size())) > 0)
    text.append(part.data(), static_cast<std::size_t>(got));
  if (got < 0) return std::nullopt;
  return text;
}

} // namespace

Root::Root(std::string prefix) : prefix_(std::move(prefix)) {
  while (prefix_.ends_with('/')) prefix_.pop_back();
}

bool Root::exists(std::string_view absolute) const { return ::access(path(absolute).c_str(), F_OK) == 0; }

std::vector<std::string> Root::names(std::string_view folder) const {
  std::vector<std::string> found;
  DIR* open = ::opendir(path(folder).c_str());
  if (open == nullptr) return found;
  while (const dirent* entry = ::readdir(open))
    if (entry->d_name[0] != '.') found.emplace_back(entry->d_name);
  ::closedir(open);
  std::sort(found.begin(), found.end(), before);
  return found;
}

std::optional<std::string> Root::text(std::string_view absolute) const {
  const int file = ::open(path(absolute).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  std::optional<std::string> all = read_all(file);
  ::close(file);
  while (all && !all->empty() && (all->back() == '\n' || all->back() == ' ')) all->pop_back();
  return all;
}

std::optional<std::int64_t> Root::number(std::string_view absolute) const {
  const std::optional<std::string> all = text(absolute);
  return all ? parse::integer(*all) : std::nullopt;
}

std::optional<std::string> Root::link(std::string_view absolute) const {
  std::array<char, 4096> target;
  const ssize_t size = ::readlink(path(absolute).c_str(), target.data(), target.size());
  if (size <= 0) return std::nullopt;
  const std::string_view whole(target.data(), static_cast<std::size_t>(size));
  return std::string(whole.substr(whole.rfind('/') + 1));
}

} // namespace zeroth::sysman
