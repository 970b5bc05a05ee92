// What the end-to-end tests share: kernels from the build tree, folders of their own, a device double for one thread.
#pragma once

#include "../run_groups.h"
#include "kernel_compiler.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <stdlib.h>
#include <string>
#include <vector>

namespace zeroth::compiler::testing {

inline std::vector<std::byte> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}
inline std::vector<std::byte> kernel_file(const std::string& name) {
  return read_file(std::filesystem::path(ZEROTH_TEST_KERNELS) / (name + ".spv"));
}

// Of the folder test_kernels.
inline std::vector<std::byte> own_kernel(const std::string& name) {
  return read_file(std::filesystem::path(ZEROTH_TEST_OWN_KERNELS) / (name + ".spv"));
}

class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "zeroth-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code error; // a worker may be writing its last result
    std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

inline CompilerOptions options_without_cache() {
  CompilerOptions options;
  options.worker_path = ZEROTH_TEST_WORKER;
  options.use_cache = false;
  return options;
}
inline CompilerOptions options_with_cache(const std::filesystem::path& folder) {
  CompilerOptions options = options_without_cache();
  options.use_cache = true;
  options.cache_directory = folder.string();
  return options;
}

inline CompileRequest request_for(Bytes spirv, std::string flags = "") {
  CompileRequest request;
  request.inputs.push_back({spirv, std::move(flags), {}});
  return request;
}

// Runs a one-dimensional kernel without barriers on this thread.
inline void run(const KernelInfo& kernel, const std::vector<std::byte>& arguments, uint32_t groups, uint32_t group_size,
                const zeroth_services& services = {nullptr, nullptr, nullptr, nullptr, zeroth_run_groups}) {
  alignas(64) std::byte block[256] = {};
  std::copy(arguments.begin(), arguments.end(), block);
  alignas(128) static thread_local uint8_t local[1 << 16], scratch[1 << 20];
  zeroth_worker worker{&services, local, scratch, nullptr, sizeof local, sizeof scratch};
  zeroth_launch launch{};
  launch.arguments = reinterpret_cast<const uint8_t*>(block);
  launch.work_dim = 1;
  for (int d = 0; d < 3; ++d) launch.group_size[d] = launch.group_count[d] = 1;
  launch.group_size[0] = group_size;
  launch.group_count[0] = groups;
  kernel.entry(&launch, &worker, 0, groups);
}

// y = a x + y on a few thousand elements, odd sizes included.
inline bool saxpy_is_right(const CompiledModule& module) {
  const KernelInfo* described = module.kernel("saxpy");
  if (!described) return false;
  const KernelInfo* kernel = module.prepare(static_cast<size_t>(described - module.kernels().data())).load();
  if (!kernel->entry || kernel->arguments.size() != 3) return false;
  constexpr uint32_t groups = 7, group_size = 67;
  std::vector<float> x(groups * group_size), y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i);
    y[i] = static_cast<float>(i) * 0.5f;
  }
  std::vector<std::byte> arguments(kernel->argument_block_size);
  const float a = 3;
  const auto set = [&](size_t index, const void* value) {
    std::copy_n(static_cast<const std::byte*>(value), kernel->arguments[index].size,
                arguments.begin() + kernel->arguments[index].offset);
  };
  const float *px = x.data(), *py = y.data();
  set(0, &a);
  set(1, &px);
  set(2, &py);
  run(*kernel, arguments, groups, group_size);
  for (size_t i = 0; i < x.size(); ++i)
    if (y[i] != a * static_cast<float>(i) + static_cast<float>(i) * 0.5f) return false;
  return true;
}

} // namespace zeroth::compiler::testing
