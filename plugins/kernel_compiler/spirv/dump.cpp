// zeroth-spirv-dump [--kernel NAME] [--no-exports] FILE.spv...: prints the LLVM IR that the reader makes. For
// developers.
#include "reader.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

namespace {

std::vector<uint32_t> read_words(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

bool dump(const char* path, const zeroth::spirv::ReadOptions& options) {
  llvm::LLVMContext context;
  const zeroth::spirv::ReadResult result = zeroth::spirv::read_spirv(read_words(path), options, context);
  if (!result.log.empty()) std::cerr << path << ": " << result.log;
  if (result.ok()) result.module->print(llvm::outs(), nullptr);
  return result.ok();
}

} // namespace

int main(int count, char** arguments) {
  zeroth::spirv::ReadOptions options;
  int failures = 0;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--kernel") == 0 && i + 1 < count)
      options.kernels.push_back(arguments[++i]);
    else if (std::strcmp(arguments[i], "--no-exports") == 0)
      options.exports = false;
    else
      failures += !dump(arguments[i], options);
  }
  return failures != 0;
}
