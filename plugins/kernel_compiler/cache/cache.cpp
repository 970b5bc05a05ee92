#include "cache.hpp"

#include <sdk/size_signal.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace zeroth::compiler {
namespace {

namespace fs = std::filesystem;
constexpr const char* layout_version = "/v1";
constexpr std::chrono::hours stale_age{24};
// Room that a removal makes at once, so that not every store has to look at the whole cache.
constexpr double shrink_to = 0.75;

class File {
public:
  File(const std::string& path, int flags) : fd_(open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600)) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }

private:
  int fd_;
};

bool write_whole(int fd, std::span<const std::byte> data) {
  const SizeSignalHeldBack held_back;
  while (!data.empty()) {
    const ssize_t written = write(fd, data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data = data.subspan(written);
  }
  return true;
}

std::optional<std::vector<std::byte>> read_whole(const std::string& path) {
  const File file(path, O_RDONLY);
  struct stat status;
  if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  // It will run as code: whoever can write it must be us.
  if (status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH))) return std::nullopt;
  std::vector<std::byte> data(status.st_size);
  size_t at = 0;
  while (at < data.size()) {
    const ssize_t part = read(file.get(), data.data() + at, data.size() - at);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) break; // truncated while we read: the digest will tell
    at += part;
  }
  data.resize(at);
  // The time of last use orders removal; a failure only makes this entry look older.
  futimens(file.get(), nullptr);
  return data;
}

struct Entry {
  fs::path path;
  uint64_t bytes;
  fs::file_time_type used;
};

// Entries vanish while we look: every step may fail and is then skipped.
void for_each_file(const std::string& folder, const std::function<void(const fs::directory_entry&)>& act) {
  std::error_code error;
  for (fs::directory_iterator sub(folder, error), end; !error && sub != end; sub.increment(error)) {
    std::error_code inner;
    for (fs::directory_iterator file(sub->path(), inner); !inner && file != end; file.increment(inner)) act(*file);
  }
}

std::vector<Entry> list_entries(const std::string& folder) {
  std::vector<Entry> entries;
  for_each_file(folder, [&](const fs::directory_entry& file) {
    std::error_code error;
    if (file.path().parent_path().filename() == "tmp") {
      const auto written = fs::last_write_time(file.path(), error);
      if (!error && fs::file_time_type::clock::now() - written > stale_age) fs::remove(file.path(), error);
      return;
    }
    Entry entry{file.path(), fs::file_size(file.path(), error), {}};
    if (error) return;
    entry.used = fs::last_write_time(file.path(), error);
    if (!error) entries.push_back(std::move(entry));
  });
  return entries;
}

std::string random_name() {
  std::random_device source;
  return std::to_string(getpid()) + "-" + std::to_string(source()) + std::to_string(source());
}

} // namespace

Cache::Cache(std::string folder, uint64_t limit_bytes)
    : folder_(folder.empty() ? "" : std::move(folder) + layout_version), limit_(limit_bytes) {}

bool Cache::switched_off() {
  const char* on = secure_getenv("ZEROTH_CACHE");
  return on && std::string_view(on) == "0";
}

std::string Cache::default_folder() {
  const auto named = [](const char* variable) -> std::string {
    const char* value = secure_getenv(variable);
    return value && *value == '/' ? value : "";
  };
  if (const std::string folder = named("ZEROTH_CACHE_DIR"); !folder.empty()) return folder;
  if (const std::string folder = named("XDG_CACHE_HOME"); !folder.empty()) return folder + "/zeroth";
  // A home that is not there ("/nonexistent" of a system user) is not ours to make.
  std::error_code error;
  if (const std::string home = named("HOME"); !home.empty() && fs::is_directory(home, error))
    return home + "/.cache/zeroth";
  return "";
}

std::string Cache::path_of(const Digest& key) const {
  const std::string hex = to_hex(key);
  return folder_ + "/" + hex.substr(0, 2) + "/" + hex.substr(2);
}

std::optional<std::vector<std::byte>> Cache::find(const Digest& key) const {
  if (folder_.empty()) return std::nullopt;
  return read_whole(path_of(key));
}

void Cache::store(const Digest& key, std::span<const std::byte> data) const {
  if (folder_.empty() || data.size() > limit_) return;
  const std::string path = path_of(key), temporary = folder_ + "/tmp/" + random_name();
  std::error_code error;
  fs::create_directories(folder_ + "/tmp", error);
  fs::create_directories(fs::path(path).parent_path(), error);
  bool written = false;
  if (const File file(temporary, O_WRONLY | O_CREAT | O_EXCL); file) written = write_whole(file.get(), data);
  if (!written || rename(temporary.c_str(), path.c_str()) != 0) unlink(temporary.c_str());
  shrink();
}

void Cache::drop(const Digest& key) const {
  if (!folder_.empty()) unlink(path_of(key).c_str());
}

void Cache::shrink() const {
  std::vector<Entry> entries = list_entries(folder_);
  uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.bytes;
  if (total <= limit_) return;
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& entry : entries) {
    if (total <= static_cast<uint64_t>(limit_ * shrink_to)) break;
    std::error_code error;
    fs::remove(entry.path, error);
    total -= entry.bytes;
  }
}

Cache::Statistics Cache::statistics() const {
  Statistics s{0, 0, limit_};
  if (folder_.empty()) return s;
  for (const Entry& entry : list_entries(folder_)) {
    ++s.entries;
    s.bytes += entry.bytes;
  }
  return s;
}

void Cache::clear() const {
  if (folder_.empty()) return;
  for_each_file(folder_, [](const fs::directory_entry& file) {
    std::error_code error;
    fs::remove(file.path(), error);
  });
}

uint64_t Cache::verify(bool (*valid)(std::span<const std::byte>)) const {
  uint64_t removed = 0;
  if (folder_.empty()) return removed;
  for (const Entry& entry : list_entries(folder_)) {
    const auto data = read_whole(entry.path.string());
    if (!data || valid(*data)) continue;
    std::error_code error;
    removed += fs::remove(entry.path, error);
  }
  return removed;
}

} // namespace zeroth::compiler
