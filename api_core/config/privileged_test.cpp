// A set-user-id program in another user's hands: what that user says about configuration does not count.
#include "config/load.hpp"
#include "config/trust.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config/test_folder.hpp"

namespace zeroth {
namespace {

using testing::HasSubstr;

constexpr uid_t nobody = 65534;

// What the helper prints when that user runs it.
std::string run_as(uid_t user, const std::string& program, const std::string& config) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const std::string variable = "ZEROTH_CONFIG=" + config;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    char* arguments[] = {const_cast<char*>(program.c_str()), nullptr};
    char* environment[] = {const_cast<char*>(variable.c_str()), const_cast<char*>("ZEROTH_LOG=trace"), nullptr};
    if (::setgid(user) == 0 && ::setuid(user) == 0) ::execve(program.c_str(), arguments, environment);
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t size = 0; (size = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(size));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << text;
  return text;
}

struct Privileged : testing::Test {
  TestFolder folder;
  std::string helper, config;

  void SetUp() override {
    struct statvfs mount {};
    ::statvfs(folder.path().c_str(), &mount);
    if (::geteuid() != 0 || (mount.f_flag & ST_NOSUID)) GTEST_SKIP() << "needs root and a file system with set-user-id";
    helper = folder / "helper";
    std::filesystem::copy_file(ZEROTH_PRIVILEGED_HELPER, helper);
    config = folder.write("mine.yaml", "drivers: [mine]\n");
    ::chmod(folder.path().c_str(), 0755);
  }
};

TEST_F(Privileged, a_set_user_id_program_ignores_the_environment) {
  ::chmod(helper.c_str(), 04755);
  const std::string text = run_as(nobody, helper, config);
  EXPECT_THAT(text, HasSubstr("privileged: 1\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("driver: mine")));
  EXPECT_THAT(text, HasSubstr("log: warning\n"));
}

TEST_F(Privileged, the_same_program_without_the_bit_heeds_it) {
  ::chmod(helper.c_str(), 0755);
  const std::string text = run_as(nobody, helper, config);
  EXPECT_THAT(text, HasSubstr("privileged: 0\n"));
  EXPECT_THAT(text, HasSubstr("driver: mine\n"));
  EXPECT_THAT(text, HasSubstr("log: trace\n"));
}

} // namespace
} // namespace zeroth
