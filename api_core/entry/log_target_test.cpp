// The log variables of the standard loader.
#include <map>

#include <gtest/gtest.h>

#include <entry/log_target.hpp>

namespace {

using namespace zeroth;
using namespace zeroth::entry;

LogTarget target_with(std::map<std::string, std::string> variables) {
  const LogTarget configured{Level::Info, "/configured.log", ""};
  return log_target(configured, [&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(LogTarget, is_the_configured_one_unless_the_loader_log_is_enabled) {
  const LogTarget target = target_with({{"ZEL_LOADER_LOGGING_LEVEL", "trace"}, {"ZEL_ENABLE_LOADER_LOGGING", "0"}});
  EXPECT_EQ(target.level, Level::Info);
  EXPECT_EQ(target.file, "/configured.log");
}

TEST(LogTarget, has_upstreams_defaults) {
  const LogTarget target = target_with({{"ZEL_ENABLE_LOADER_LOGGING", "1"}, {"HOME", "/home/me"}});
  EXPECT_EQ(target.level, Level::Warning);
  EXPECT_EQ(target.file, "/home/me/.oneapi_logs/ze_loader.log");
}

TEST(LogTarget, follows_the_variables) {
  const LogTarget file = target_with({{"ZEL_ENABLE_LOADER_LOGGING", "1"},
                                      {"ZEL_LOADER_LOGGING_LEVEL", "debug"},
                                      {"ZEL_LOADER_LOG_DIR", "/logs"},
                                      {"ZEL_LOADER_LOG_FILE", "mine"},
                                      {"ZEL_LOADER_LOG_PATTERN", "%v"}});
  EXPECT_EQ(file.level, Level::Debug);
  EXPECT_EQ(file.file, "/logs/mine");
  EXPECT_EQ(file.pattern, "%v");
  const LogTarget console = target_with({{"ZEL_ENABLE_LOADER_LOGGING", "1"}, {"ZEL_LOADER_LOG_CONSOLE", "1"}});
  EXPECT_EQ(console.file, "");
  EXPECT_EQ(target_with({{"ZE_ENABLE_LOADER_DEBUG_TRACE", "1"}}).level, Level::Trace);
}

TEST(LogTarget, knows_every_level_of_upstream) {
  const std::map<std::string, Level> levels{
      {"trace", Level::Trace}, {"debug", Level::Debug},    {"info", Level::Info}, {"warn", Level::Warning},
      {"error", Level::Error}, {"critical", Level::Error}, {"off", Level::Off},   {"nonsense", Level::Warning}};
  for (const auto& [name, level] : levels)
    EXPECT_EQ(target_with({{"ZEL_ENABLE_LOADER_LOGGING", "1"}, {"ZEL_LOADER_LOGGING_LEVEL", name}}).level, level)
        << name;
}

TEST(LogPattern, puts_what_its_letters_say) {
  EXPECT_EQ(formatted_line("[%^%l%$] %n: %v 100%%", Level::Error, "text"), "[error] ze_loader: text 100%");
  EXPECT_EQ(formatted_line("%Y-%m-%d", Level::Info, "").size(), 10u);
  EXPECT_EQ(formatted_line("%", Level::Info, "x"), "%");
}

} // namespace
