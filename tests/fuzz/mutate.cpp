#include "mutate.hpp"

#include <kernel_compiler/spirv/mutator.hpp>

#include <cstring>

namespace zeroth::fuzz {

std::vector<uint32_t> words_of(const uint8_t* data, size_t size) {
  std::vector<uint32_t> words(size / 4);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 4);
  return words;
}

} // namespace zeroth::fuzz

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

// Most mutants keep the shape of instructions, else hardly any would get past the decoder.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  if (size < 32 || seed % 8 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::vector<uint32_t> words = zeroth::spirv::test::Mutator(seed).mutate(zeroth::fuzz::words_of(data, size));
  const size_t bytes = std::min(words.size() * 4, max_size / 4 * 4);
  std::memcpy(data, words.data(), bytes);
  return bytes;
}
