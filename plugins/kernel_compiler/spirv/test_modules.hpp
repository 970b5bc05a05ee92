// Where tests find the SPIR-V modules that the build made, and how they read them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace zeroth::spirv::test {

inline std::vector<uint32_t> read_words(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

// Sorted, so that seeds mean the same on every machine.
inline std::vector<std::filesystem::path> module_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(ZEROTH_TEST_MODULES))
    if (entry.path().extension() == ".spv") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

inline std::filesystem::path module_file(const std::string& name) {
  return std::filesystem::path(ZEROTH_TEST_MODULES) / (name + ".spv");
}

} // namespace zeroth::spirv::test
