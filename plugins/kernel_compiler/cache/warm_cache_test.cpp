// The cache as a client meets it.
#include "../client/test_support.hpp"

#include <gtest/gtest.h>

namespace zeroth::compiler {
namespace {

namespace fs = std::filesystem;
using namespace testing;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& file : fs::recursive_directory_iterator(folder))
    if (file.is_regular_file()) files.push_back(file.path());
  return files;
}

TEST(WarmCache, StartsNoWorker) {
  const TemporaryFolder folder;
  const fs::path worker = folder.path() / "zeroth-kernelc";
  fs::copy_file(ZEROTH_TEST_WORKER, worker);
  CompilerOptions options = options_with_cache(folder.path() / "cache");
  options.worker_path = worker.string();
  const auto spirv = kernel_file("saxpy"), other = kernel_file("triad");
  EXPECT_TRUE(saxpy_is_right(*Compiler(options).compile(request_for(spirv))));
  // A program that still tells its build id, but can never run again.
  fs::remove(worker);
  fs::copy_file(ZEROTH_TEST_WORKER, worker);
  fs::resize_file(worker, 64 << 10);
  fs::permissions(worker, fs::perms::owner_read, fs::perm_options::replace);
  Compiler warm(options);
  EXPECT_TRUE(saxpy_is_right(*warm.compile(request_for(spirv))));
  EXPECT_THROW(warm.compile(request_for(other)), CompileError);
}

TEST(WarmCache, EverythingThatDecidesTheCodeIsPartOfTheKey) {
  const TemporaryFolder folder;
  Compiler compiler(options_with_cache(folder.path()));
  const auto spirv = kernel_file("saxpy");
  CompileRequest request = request_for(spirv);
  compiler.compile(request);
  EXPECT_EQ(files_in(folder.path()).size(), 1u);
  compiler.compile(request);
  EXPECT_EQ(files_in(folder.path()).size(), 1u);
  request.vector_width = 1;
  compiler.compile(request);
  request.inputs[0].options = "-v";
  compiler.compile(request);
  request.inputs[0].constants.push_back({1, {std::byte{1}}});
  compiler.compile(request);
  request.cpu = {"x86-64-v3", ""};
  compiler.compile(request);
  EXPECT_EQ(files_in(folder.path()).size(), 5u);
}

TEST(WarmCache, DamagedEntryIsBuiltAgain) {
  const TemporaryFolder folder;
  Compiler compiler(options_with_cache(folder.path()));
  const auto spirv = kernel_file("saxpy");
  compiler.compile(request_for(spirv));
  const fs::path entry = files_in(folder.path()).at(0);
  const auto whole = fs::file_size(entry);
  fs::resize_file(entry, whole / 2);
  EXPECT_TRUE(saxpy_is_right(*compiler.compile(request_for(spirv))));
  EXPECT_EQ(fs::file_size(entry), whole);
}

// A file that is whole but answers another request must not be taken.
TEST(WarmCache, EntryUnderAForeignNameIsNotTaken) {
  const TemporaryFolder folder;
  Compiler compiler(options_with_cache(folder.path()));
  const auto spirv = kernel_file("saxpy"), other = kernel_file("triad");
  compiler.compile(request_for(spirv));
  const fs::path entry = files_in(folder.path()).at(0);
  const TemporaryFolder second;
  Compiler(options_with_cache(second.path())).compile(request_for(other));
  fs::copy_file(files_in(second.path()).at(0), entry, fs::copy_options::overwrite_existing);
  EXPECT_TRUE(saxpy_is_right(*compiler.compile(request_for(spirv))));
}

TEST(WarmCache, FailedBuildsAreNotKept) {
  const TemporaryFolder folder;
  Compiler compiler(options_with_cache(folder.path()));
  const std::vector<std::byte> garbage(64, std::byte{1});
  EXPECT_THROW(compiler.compile(request_for(garbage)), CompileError);
  EXPECT_TRUE(files_in(folder.path()).empty());
}

} // namespace
} // namespace zeroth::compiler
