// zeroth-spirv-corpus FILE.spv|DIRECTORY...: reads every module, prints the refused ones with the reason, then counts
// and the time per module. Exit status 1 when any was refused. For developers and for the corpus test.
#include "reader.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> list_modules(int count, char** arguments) {
  std::vector<fs::path> files;
  for (int i = 1; i < count; ++i) {
    if (!fs::is_directory(arguments[i]))
      files.emplace_back(arguments[i]);
    else
      for (const auto& entry : fs::recursive_directory_iterator(arguments[i]))
        if (entry.path().extension() == ".spv") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<uint32_t> read_words(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

bool read(const fs::path& path, double& milliseconds) {
  const std::vector<uint32_t> words = read_words(path);
  const auto start = std::chrono::steady_clock::now();
  llvm::LLVMContext context;
  const zeroth::spirv::ReadResult result = zeroth::spirv::read_spirv(words, {}, context);
  milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (!result.ok()) std::printf("%s: %s", path.c_str(), result.log.c_str());
  return result.ok();
}

} // namespace

int main(int count, char** arguments) {
  const std::vector<fs::path> files = list_modules(count, arguments);
  std::vector<double> times;
  size_t refused = 0;
  for (const fs::path& file : files) {
    times.emplace_back();
    refused += !read(file, times.back());
  }
  std::sort(times.begin(), times.end());
  const auto at = [&](double part) { return times.empty() ? 0.0 : times[size_t(part * double(times.size() - 1))]; };
  std::printf("%zu modules, %zu refused; ms per module: median %.2f, 99%% %.2f, most %.2f\n", files.size(), refused,
              at(0.5), at(0.99), at(1));
  return refused != 0;
}
