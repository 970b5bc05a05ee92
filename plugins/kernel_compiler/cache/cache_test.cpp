#include "cache.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <stdlib.h>

namespace zeroth::compiler {
namespace {

namespace fs = std::filesystem;

class CacheTest : public testing::Test {
protected:
  CacheTest() : folder_(make_folder()) {}
  ~CacheTest() override { fs::remove_all(folder_); }
  static std::string make_folder() {
    std::string name = (fs::temp_directory_path() / "zeroth-cache-XXXXXX").string();
    return mkdtemp(name.data());
  }
  static Digest key(int n) { return digest_of(std::as_bytes(std::span(&n, 1))); }
  static std::vector<std::byte> content(size_t size, int fill) { return {size, std::byte(fill)}; }
  static fs::path only_file(const fs::path& folder) {
    for (const auto& file : fs::recursive_directory_iterator(folder))
      if (file.is_regular_file()) return file.path();
    return {};
  }

  std::string folder_;
};

TEST_F(CacheTest, GivesBackWhatWasStored) {
  const Cache cache(folder_, 1 << 20);
  EXPECT_FALSE(cache.find(key(1)));
  cache.store(key(1), content(100, 1));
  cache.store(key(2), content(200, 2));
  EXPECT_EQ(cache.find(key(1)), content(100, 1));
  EXPECT_EQ(cache.find(key(2)), content(200, 2));
  EXPECT_EQ(cache.statistics().entries, 2u);
  EXPECT_EQ(cache.statistics().bytes, 300u);
  cache.drop(key(1));
  EXPECT_FALSE(cache.find(key(1)));
  cache.clear();
  EXPECT_EQ(cache.statistics().entries, 0u);
}

TEST_F(CacheTest, RemovesTheLongestUnusedBeyondItsBound) {
  const Cache cache(folder_, 1000);
  for (int i = 0; i < 8; ++i) {
    cache.store(key(i), content(120, i));
    const auto age = std::chrono::minutes(10 - i);
    fs::path written;
    for (const auto& file : fs::recursive_directory_iterator(folder_))
      if (file.is_regular_file() && fs::file_time_type::clock::now() - file.last_write_time() < std::chrono::minutes(1))
        fs::last_write_time(file.path(), fs::file_time_type::clock::now() - age);
  }
  ASSERT_TRUE(cache.find(key(0))); // used just now: the youngest
  cache.store(key(8), content(120, 8));
  EXPECT_LE(cache.statistics().bytes, 1000u);
  EXPECT_TRUE(cache.find(key(0)));
  EXPECT_TRUE(cache.find(key(8)));
  EXPECT_FALSE(cache.find(key(1)));
}

TEST_F(CacheTest, VerifyRemovesExactlyTheInvalid) {
  const Cache cache(folder_, 1 << 20);
  cache.store(key(1), content(10, 1));
  cache.store(key(2), content(10, 2));
  EXPECT_EQ(cache.verify([](std::span<const std::byte> file) { return file[0] == std::byte{1}; }), 1u);
  EXPECT_TRUE(cache.find(key(1)));
  EXPECT_FALSE(cache.find(key(2)));
}

TEST_F(CacheTest, TakesNothingThatOthersMayWrite) {
  const Cache cache(folder_, 1 << 20);
  cache.store(key(1), content(10, 1));
  fs::permissions(only_file(folder_), fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(cache.find(key(1)));
}

TEST_F(CacheTest, AFolderThatCannotBeWrittenMeansNotCached) {
  std::ofstream(folder_ + "/file") << "x";
  const Cache cache(folder_ + "/file", 1 << 20);
  cache.store(key(1), content(10, 1));
  EXPECT_FALSE(cache.find(key(1)));
  EXPECT_EQ(cache.statistics().entries, 0u);
  cache.clear();
}

TEST_F(CacheTest, WithoutAFolderItKeepsNothing) {
  const Cache cache("", 1 << 20);
  cache.store(key(1), content(10, 1));
  EXPECT_FALSE(cache.find(key(1)));
}

} // namespace
} // namespace zeroth::compiler
