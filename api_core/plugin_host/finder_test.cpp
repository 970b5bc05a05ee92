#include "plugin_host/finder.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/test_folder.hpp"

namespace zeroth {
namespace {

using testing::ElementsAre;

TEST(Finder, the_first_folder_that_has_it_counts) {
  const TestFolder folder;
  const std::string first = folder.write("a/zeroth_x.so", ""), second = folder.write("b/zeroth_x.so", "");
  folder.write("b/zeroth_y.so", "");
  const std::vector<std::string> folders{folder / "a", folder / "b"};
  EXPECT_EQ(find_plugin("x", folders).path, first);
  EXPECT_EQ(find_plugin("y", folders).path, (folder / "b/zeroth_y.so").string());
  EXPECT_EQ(find_plugin(second, folders).path, second);
  EXPECT_EQ(find_plugin("z", folders).path, "");
  EXPECT_THAT(find_plugin("z", folders).searched,
              ElementsAre((folder / "a/zeroth_z.so").string(), (folder / "b/zeroth_z.so").string()));
}

TEST(Finder, lists_what_is_there) {
  const TestFolder folder;
  folder.write("a/zeroth_x.so", "");
  folder.write("a/readme.txt", "");
  folder.write("b/zeroth_x.so", "");
  folder.write("b/zeroth_a.so", "");
  EXPECT_THAT(available_plugins({folder / "a", folder / "missing", folder / "b"}), ElementsAre("a", "x"));
}

TEST(Finder, the_own_folder_lies_beside_this_code) {
  const std::filesystem::path own = own_plugin_folder();
  EXPECT_EQ(own.filename(), "zeroth");
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  EXPECT_TRUE(own.string().starts_with(program.parent_path().parent_path().string())) << own;
}

} // namespace
} // namespace zeroth
