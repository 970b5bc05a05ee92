#include "log.hpp"

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "zeroth_plugin.h"

namespace zeroth {
namespace {

std::atomic<int> formatted{0};
struct Counted {};

} // namespace
} // namespace zeroth

template <> struct fmt::formatter<zeroth::Counted> {
  constexpr auto parse(format_parse_context& context) { return context.begin(); }
  template <class Context> auto format(const zeroth::Counted&, Context& context) const {
    ++zeroth::formatted;
    return context.out();
  }
};

namespace zeroth {
namespace {

struct Lines {
  std::vector<std::string> lines;
  static void write(void* context, Level level, std::string_view text) noexcept {
    static_cast<Lines*>(context)->lines.push_back(std::string(level_name(level)) + " " + std::string(text));
  }
};

TEST(Log, lines_up_to_the_level_reach_the_sink) {
  Lines lines;
  const LogSink sink{Level::Info, Lines::write, &lines};
  set_log_sink(&sink);
  log(Level::Error, "a {}", 1);
  log(Level::Info, "b");
  log(Level::Debug, "c");
  set_log_sink(nullptr);
  EXPECT_EQ(lines.lines, (std::vector<std::string>{"error a 1", "info b"}));
}

TEST(Log, nothing_is_formatted_when_the_level_is_off) {
  Lines lines;
  const LogSink sink{Level::Warning, Lines::write, &lines};
  set_log_sink(&sink);
  log(Level::Debug, "{}", Counted{});
  EXPECT_EQ(formatted, 0);
  log(Level::Warning, "{}", Counted{});
  EXPECT_EQ(formatted, 1);
  set_log_sink(nullptr);
}

TEST(Log, without_a_sink_the_environment_decides_and_silence_is_the_default) {
  ::unsetenv("ZEROTH_LOG");
  set_log_sink(nullptr);
  EXPECT_FALSE(log_enabled(Level::Error));
  ::setenv("ZEROTH_LOG", "info", 1);
  set_log_sink(nullptr);
  EXPECT_TRUE(log_enabled(Level::Info));
  EXPECT_FALSE(log_enabled(Level::Debug));
  testing::internal::CaptureStderr();
  log(Level::Info, "to {}", "stderr");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "zeroth: info: to stderr\n");
  ::unsetenv("ZEROTH_LOG");
  set_log_sink(nullptr);
}

TEST(Log, a_plugin_logs_through_its_host) {
  Lines lines;
  zeroth_host host{};
  host.struct_size = sizeof host;
  host.log_level = ZEROTH_LOG_DEBUG;
  host.host_data = &lines;
  host.log = [](const zeroth_host* self, zeroth_log_level level, const char* text, size_t size) {
    Lines::write(self->host_data, static_cast<Level>(level), {text, size});
  };
  use_host_log(&host);
  log(Level::Debug, "x={}", 5);
  log(Level::Trace, "too fine");
  set_log_sink(nullptr);
  EXPECT_EQ(lines.lines, std::vector<std::string>{"debug x=5"});
}

TEST(Log, a_watcher_sees_lines_that_the_sink_does_not_keep) {
  Lines kept, seen;
  const LogSink sink{Level::Error, Lines::write, &kept}, watcher{Level::Warning, Lines::write, &seen};
  set_log_sink(&sink);
  set_log_watcher(&watcher);
  log(Level::Error, "a");
  log(Level::Warning, "b");
  EXPECT_FALSE(log_enabled(Level::Info));
  set_log_watcher(nullptr);
  log(Level::Error, "c");
  EXPECT_FALSE(log_enabled(Level::Warning));
  set_log_sink(nullptr);
  EXPECT_EQ(kept.lines, (std::vector<std::string>{"error a", "error c"}));
  EXPECT_EQ(seen.lines, (std::vector<std::string>{"error a", "warning b"}));
}

TEST(Log, a_watcher_that_logs_does_not_hear_itself) {
  static std::atomic<int> heard{0};
  heard = 0;
  const LogSink watcher{Level::Warning,
                        [](void*, Level, std::string_view) noexcept {
                          ++heard;
                          log(Level::Warning, "from within");
                        },
                        nullptr};
  set_log_watcher(&watcher);
  log(Level::Warning, "x");
  set_log_watcher(nullptr);
  EXPECT_EQ(heard, 1);
}

TEST(Log, sinks_may_change_while_others_log) {
  static std::atomic<int> count{0};
  const LogSink sink{Level::Info, [](void*, Level, std::string_view) noexcept { ++count; }, nullptr};
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    while (!stop) log(Level::Info, "line {}", 1);
  });
  for (int i = 0; i < 1000; ++i) set_log_sink(i % 2 ? nullptr : &sink);
  stop = true;
  writer.join();
  set_log_sink(nullptr);
}

TEST(Log, level_names_round_trip) {
  for (Level level : {Level::Off, Level::Error, Level::Warning, Level::Info, Level::Debug, Level::Trace})
    EXPECT_EQ(level_from_name(level_name(level)), level);
  EXPECT_EQ(level_from_name("loud"), std::nullopt);
}

} // namespace
} // namespace zeroth
