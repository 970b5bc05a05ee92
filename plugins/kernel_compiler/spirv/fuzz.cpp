// libFuzzer target: any bytes into inspect() and read_spirv(). Built by a clang configuration with -DZEROTH_FUZZ=ON.
#include "mutator.hpp"
#include "reader.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint32_t> words(size / 4);
  std::memcpy(words.data(), data, words.size() * 4);
  zeroth::spirv::inspect(words);
  llvm::LLVMContext context;
  zeroth::spirv::read_spirv(words, {}, context);
  return 0;
}

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

// Half of the mutants keep the shape of instructions, else hardly any would get past the decoder.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  if (size < 32 || seed % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::vector<uint32_t> words(size / 4);
  std::memcpy(words.data(), data, words.size() * 4);
  words = zeroth::spirv::test::Mutator(seed).mutate(std::move(words));
  const size_t bytes = std::min(words.size() * 4, max_size);
  std::memcpy(data, words.data(), bytes);
  return bytes;
}
