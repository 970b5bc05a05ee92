// libFuzzer target: any bytes into inspect() and read_spirv().
#include "mutate.hpp"

#include <kernel_compiler/spirv/reader.hpp>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<uint32_t> words = zeroth::fuzz::words_of(data, size);
  zeroth::spirv::inspect(words);
  llvm::LLVMContext context;
  zeroth::spirv::read_spirv(words, {}, context);
  return 0;
}
