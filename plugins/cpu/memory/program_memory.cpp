#include "program_memory.hpp"

#include <cinttypes>
#include <cstdio>
#include <memory>
#include <mutex>

namespace zeroth::cpu {

namespace {
std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
} // namespace

bool ProgramMemory::add(const Allocation& range) {
  std::unique_lock lock(mutex_);
  const std::uintptr_t start = address(range.base);
  const auto after = ranges_.lower_bound(start);
  if (after != ranges_.end() && after->first - start < range.size) return false;
  if (after != ranges_.begin())
    if (const auto before = std::prev(after); start - before->first < before->second.size) return false;
  ranges_.emplace_hint(after, start, range);
  count_.store(ranges_.size(), std::memory_order_release);
  return true;
}

bool ProgramMemory::remove(const void* base) noexcept {
  if (count_.load(std::memory_order_acquire) == 0) return false;
  std::unique_lock lock(mutex_);
  const bool there = ranges_.erase(address(base)) != 0;
  count_.store(ranges_.size(), std::memory_order_release);
  return there;
}

Allocation ProgramMemory::look_up(const void* pointer) const {
  std::shared_lock lock(mutex_);
  const auto after = ranges_.upper_bound(address(pointer));
  if (after == ranges_.begin()) return {};
  const auto& [start, range] = *std::prev(after);
  return address(pointer) - start < range.size ? range : Allocation{};
}

bool is_mapped(const void* base, std::size_t size, bool writable) {
  if (size > ~address(base)) return false; // beyond the end of all addresses
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> maps(std::fopen("/proc/self/maps", "re"), &std::fclose);
  if (!maps) return true; // nobody can say
  std::uintptr_t at = address(base), first = 0, end = 0;
  const std::uintptr_t until = at + size;
  char line[512], access[5];
  bool fresh = true; // a line may be longer
  while (at < until && std::fgets(line, sizeof line, maps.get())) {
    const bool begins = fresh;
    for (fresh = false; char c : line) {
      if (c == '\n') fresh = true;
      if (c == '\n' || c == '\0') break;
    }
    if (!begins || std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &first, &end, access) != 3 || end <= at) continue;
    if (first > at || access[0] != 'r' || (writable && access[1] != 'w')) return false;
    at = end;
  }
  return at >= until;
}

} // namespace zeroth::cpu
