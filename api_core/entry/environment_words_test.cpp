#include <map>

#include <gtest/gtest.h>

#include <entry/environment_words.hpp>

namespace {

std::vector<std::string> wrong(const std::map<std::string, std::string>& variables) {
  return zeroth::entry::wrong_words([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(EnvironmentWords, one_that_means_nothing_is_told_with_those_that_do) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrong({{"ZES_ENABLE_SYSMAN", "yes"}}),
            Lines{"ZES_ENABLE_SYSMAN: `yes` is none of 0, 1; as if it were not set"});
  EXPECT_EQ(
      wrong({{"ZEL_LOADER_LOGGING_LEVEL", "WARN"}}),
      Lines{"ZEL_LOADER_LOGGING_LEVEL: `WARN` is none of trace, debug, info, warn, error, critical, off; as if it "
            "were not set"});
  EXPECT_EQ(wrong({{"ZEL_ENABLE_LOADER_LOGGING", "on"}, {"ZEL_LOADER_LOG_CONSOLE", "2"}}).size(), 2u);
}

TEST(EnvironmentWords, those_that_mean_something_and_unset_ones_are_no_matter) {
  EXPECT_TRUE(wrong({}).empty());
  EXPECT_TRUE(wrong({{"ZES_ENABLE_SYSMAN", "0"},
                     {"ZE_ENABLE_TRACING_LAYER", "1"},
                     {"ZEL_LOADER_LOGGING_LEVEL", "off"},
                     {"ZEL_LOADER_LOG_CONSOLE", ""},
                     {"ZEL_LOADER_LOG_FILE", "anything"}})
                  .empty());
}

TEST(EnvironmentWords, what_is_asked_for_and_not_there_is_told) {
  const auto lines = [](const char* name, const char* value) {
    return zeroth::entry::words_without_effect(
        [=](const char* asked) { return std::string(name) == asked ? value : nullptr; });
  };
  for (const char* name : {"ZE_ENABLE_VALIDATION_LAYER", "ZE_ENABLE_NULL_DRIVER"}) {
    ASSERT_EQ(lines(name, "1").size(), 1u) << name;
    EXPECT_EQ(lines(name, "1")[0].find(name), 0u);
    EXPECT_TRUE(lines(name, "0").empty()) << name;
  }
  EXPECT_TRUE(lines("ZE_ENABLE_TRACING_LAYER", "1").empty());
}

} // namespace
