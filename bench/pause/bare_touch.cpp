#include "pause/subject.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <sys/mman.h>
#include <vector>

namespace zeroth::bench {
namespace {

constexpr std::size_t Line = 64, LinesOfAPage = 64, UsedOfAPage = 4;

// Places of so many lines, a few in each page, in no order.
std::vector<std::size_t> places(unsigned lines) {
  std::mt19937 random(lines);
  std::vector<std::size_t> all(lines);
  for (std::size_t i = 0; i < lines; ++i)
    all[i] = (i / UsedOfAPage * LinesOfAPage + i % UsedOfAPage * (LinesOfAPage / UsedOfAPage)) * Line;
  std::shuffle(all.begin(), all.end(), random);
  return all;
}

std::uint8_t* map(std::size_t bytes, int access) {
  void* memory = mmap(nullptr, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::uint8_t*>(memory);
}

std::size_t span(unsigned lines) { return (lines / UsedOfAPage + 1) * LinesOfAPage * Line; }

#if defined(__x86_64__)
// A function of `lines` lines: each holds a jump to the next, the last one returns.
void (*jumps(unsigned lines))() {
  const auto at = places(lines);
  std::uint8_t* code = map(span(lines), PROT_READ | PROT_WRITE);
  for (std::size_t i = 0; i < lines; ++i) {
    if (i + 1 == lines) {
      code[at[i]] = 0xc3; // ret
      continue;
    }
    const auto distance = static_cast<std::int32_t>(at[i + 1] - at[i] - 5);
    code[at[i]] = 0xe9; // jmp
    std::memcpy(code + at[i] + 1, &distance, sizeof distance);
  }
  mprotect(code, span(lines), PROT_READ | PROT_EXEC);
  return reinterpret_cast<void (*)()>(code + at[0]);
}
#else
void (*jumps(unsigned))() {
  return [] {};
}
#endif

} // namespace

Subject bare_touch(unsigned data_lines, unsigned code_lines) {
  std::uint8_t* data = map(span(data_lines), PROT_READ | PROT_WRITE);
  return [data, at = std::make_shared<std::vector<std::size_t>>(places(data_lines)), code = jumps(code_lines)] {
    for (std::size_t place : *at) {
      auto* word = reinterpret_cast<volatile std::uint64_t*>(data + place);
      *word = *word + 1;
    }
    code();
  };
}

} // namespace zeroth::bench
