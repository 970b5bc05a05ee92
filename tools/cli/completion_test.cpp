#include "cli/commands.hpp"
#include "config/test_folder.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace zeroth::cli {
namespace {

std::string completion_for(const char* shell) {
  int status = 0;
  CLI::App app{"test", "zeroth"};
  CLI::App* command = app.add_subcommand("info", "List what's there");
  bool json = false;
  command->add_flag("--json", json, "As JSON");
  add_completion_command(app, status);
  testing::internal::CaptureStdout();
  app.parse(std::string("completion ") + shell, false);
  return testing::internal::GetCapturedStdout();
}

class Completion : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Shells, Completion, testing::Values("bash", "zsh", "fish"));

TEST_P(Completion, NamesCommandsAndTheirOptions) {
  const std::string script = completion_for(GetParam());
  for (const char* word : {"info", "json", "completion", "zsh"})
    EXPECT_NE(script.find(word), std::string::npos) << word;
}

TEST(Completion, BashCompletesACommandAndItsOption) {
  const std::string script = completion_for("bash");
  const TestFolder folder;
  const std::string file =
      folder.write("zeroth_completion.bash",
                   script + "COMP_WORDS=(zeroth in); COMP_CWORD=1; _zeroth; [ \"$COMPREPLY\" = info ] || exit 1\n" +
                       "COMP_WORDS=(zeroth info --j); COMP_CWORD=2; _zeroth; [ \"$COMPREPLY\" = --json ] || exit 2\n");
  EXPECT_EQ(std::system(("bash " + file).c_str()), 0) << script;
}

TEST(Completion, FishTextWithAnApostropheStaysQuoted) {
  EXPECT_NE(completion_for("fish").find("'List what\\'s there'"), std::string::npos);
}

} // namespace
} // namespace zeroth::cli
