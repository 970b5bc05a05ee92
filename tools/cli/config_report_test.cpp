#include "cli/config_report.hpp"

#include "config/load.hpp"

#include <gtest/gtest.h>

namespace zeroth::cli {
namespace {

TEST(ConfigReport, EverySettingNamesItsOrigin) {
  const Json report = config_report(read_config("log: {level: debug}\n", "mine.yaml", {"program"}));
  EXPECT_EQ(report["settings"]["log.level"]["value"], "debug");
  EXPECT_NE(report["settings"]["log.level"]["origin"].get<std::string>().find("mine.yaml:1"), std::string::npos);
  for (const auto& [key, setting] : report["settings"].items()) EXPECT_NE(setting["origin"], "") << key;
}

} // namespace
} // namespace zeroth::cli
