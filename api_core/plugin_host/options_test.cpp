#include "plugin_host/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/yaml.hpp"

namespace zeroth {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr zeroth_option known[] = {{"threads", "integer", "1", ""}, {"memory", "size", "", ""},
                                   {"cores", "list", "", ""},       {"quiet", "boolean", "", ""},
                                   {"scale", "number", "", ""},     {"name", "string", "", ""}};

std::vector<std::string> check(std::string_view text) {
  zeroth_plugin plugin{};
  plugin.options = known;
  plugin.option_count = 6;
  return check_options(parse_yaml(text, std::make_shared<const std::string>("f.yaml")), plugin);
}

TEST(Options, right_ones_pass) {
  EXPECT_THAT(
      check("{threads: 3, memory: 64 MiB, cores: [1], quiet: true, scale: 2, name: 7, devices: {}, device_mask: '0'}"),
      IsEmpty());
  EXPECT_THAT(check("{memory: 4096, scale: 2.5}"), IsEmpty());
}

TEST(Options, wrong_ones_are_named_with_their_place) {
  EXPECT_THAT(check("{thread: 3}"), ElementsAre("f.yaml:1:2: unknown option `thread` (did you mean `threads`?)"));
  EXPECT_THAT(check("{threads: many}"), ElementsAre("f.yaml:1:11: option `threads` must be of type integer"));
  for (const char* wrong : {"-1", "64 MB", "MiB", "64MiBs", "1.5 GiB", "[]"})
    EXPECT_EQ(check(std::string("{memory: ") + wrong + "}").size(), 1u) << wrong;
}

TEST(Options, those_of_single_devices_are_checked_too) {
  EXPECT_THAT(check("{devices: {0: {threads: 1}}}"), IsEmpty());
  EXPECT_THAT(check("{devices: {0: {thread: 1}}}"),
              ElementsAre("f.yaml:1:16: unknown option `thread` (did you mean `threads`?)"));
}

TEST(Options, a_plugin_without_a_list_takes_all) {
  const zeroth_plugin plugin{};
  EXPECT_THAT(check_options(parse_yaml("{a: 1}", nullptr), plugin), IsEmpty());
}

} // namespace
} // namespace zeroth
