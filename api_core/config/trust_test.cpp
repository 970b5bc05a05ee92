#include "config/trust.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/test_folder.hpp"

namespace zeroth {
namespace {

using testing::HasSubstr;

TEST(Trust, a_system_file_is_trusted) { EXPECT_EQ(untrusted_reason("/bin/sh"), ""); }

TEST(Trust, a_file_that_others_may_write_is_not) {
  const TestFolder folder;
  const std::string file = folder.write("a", "x");
  ::chmod(file.c_str(), 0664);
  EXPECT_EQ(untrusted_reason(file), std::filesystem::canonical(file).string() + " may be written by others");
}

TEST(Trust, a_file_in_a_folder_that_others_may_write_is_not) {
  const TestFolder folder; // the temporary folder itself is open to all
  const std::string file = folder.write("a", "x");
  ::chmod(file.c_str(), 0644);
  EXPECT_THAT(untrusted_reason(file), HasSubstr("may be written by others"));
}

TEST(Trust, a_file_of_another_user_is_not) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  const TestFolder folder;
  const std::string file = folder.write("a", "x");
  ASSERT_EQ(::chown(file.c_str(), 12345, 12345), 0);
  EXPECT_THAT(untrusted_reason(file), HasSubstr("belongs to user 12345"));
}

TEST(Trust, what_is_not_there_is_not) {
  EXPECT_THAT(untrusted_reason("/no/such/file"), HasSubstr("cannot be resolved"));
}

TEST(Trust, this_test_runs_unprivileged) { EXPECT_FALSE(process_is_privileged()); }

} // namespace
} // namespace zeroth
