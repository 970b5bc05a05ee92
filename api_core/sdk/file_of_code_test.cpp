#include "file_of_code.hpp"

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

namespace zeroth {
namespace {

TEST(FileOfCode, IsTheProgramWhateverItsArgumentsAndItsFolderSay) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path("/");
  EXPECT_EQ(file_of_code(reinterpret_cast<const void*>(&file_of_code)),
            std::filesystem::read_symlink("/proc/self/exe"));
  std::filesystem::current_path(before);
}

TEST(FileOfCode, IsTheLibraryOfItsFunctions) {
  const std::string file = file_of_code(reinterpret_cast<const void*>(&std::getenv));
  EXPECT_TRUE(file.starts_with('/') && std::filesystem::exists(file)) << file;
  EXPECT_NE(file.find("libc"), file.npos) << file;
}

TEST(FileOfCode, IsEmptyOfWhatIsNoCode) { EXPECT_EQ(file_of_code(nullptr), ""); }

} // namespace
} // namespace zeroth
