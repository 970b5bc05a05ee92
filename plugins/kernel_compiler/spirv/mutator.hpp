// Breaks SPIR-V modules in the ways that files get broken: a fixed seed gives the same mutants on every machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace zeroth::spirv::test {

class Mutator {
public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  // 1 to 3 changes of kinds that the seed chooses.
  std::vector<uint32_t> mutate(std::vector<uint32_t> words) {
    for (uint32_t changes = 1 + pick(3); changes != 0 && words.size() > 6; --changes) change(words);
    return words;
  }

private:
  uint32_t pick(size_t limit) { return uint32_t(random_() % limit); }

  // Start of the instruction that holds or precedes a random word.
  size_t instruction(const std::vector<uint32_t>& words) {
    const size_t target = 5 + pick(words.size() - 5);
    size_t at = 5;
    while (at < words.size()) {
      const size_t next = at + (words[at] >> 16);
      if (next > target || next <= at) return at;
      at = next;
    }
    return 5;
  }

  static size_t length(const std::vector<uint32_t>& words, size_t at) {
    return std::min<size_t>(std::max<size_t>(words[at] >> 16, 1), words.size() - at);
  }

  void change(std::vector<uint32_t>& words) {
    const size_t at = instruction(words);
    const size_t count = length(words, at);
    const auto begin = words.begin() + long(at);
    switch (pick(8)) {
    case 0:
      words[pick(words.size())] ^= 1u << pick(32);
      break;
    case 1:
      words.resize(words.size() - 1 - pick(std::min<size_t>(words.size() - 5, 64)));
      break;
    case 2:
      words.erase(begin, begin + long(count));
      break;
    case 3: {
      const std::vector<uint32_t> copy(begin, begin + long(count));
      words.insert(begin, copy.begin(), copy.end());
      break;
    }
    case 4:
      words[at + pick(count)] = words[5 + pick(words.size() - 5)];
      break;
    case 5:
      words[at] = (words[at] & 0xFFFF0000u) | pick(512);
      break;
    case 6:
      words[at + pick(count)] = pick(words[3] + 2);
      break; // another id, or nearly one
    case 7:
      words[at + pick(count)] = uint32_t(random_());
      break;
    }
  }

  std::mt19937_64 random_;
};

} // namespace zeroth::spirv::test
