// The rows of `zeroth top` and Prometheus' format, from reports without a device.
#include "cli/prometheus.hpp"
#include "cli/top_view.hpp"

#include <gtest/gtest.h>

namespace {

using namespace zeroth::cli;

Json report(double active, double at, double joules) {
  return {{"name", "a \"GPU\""},
          {"uuid", "00-01"},
          {"power", {{{"domain", "package"}, {"joules", joules}}}},
          {"temperature", {{{"sensor", "gpu"}, {"celsius", 61.5}}}},
          {"engine", {{{"group", "all"}, {"active seconds", active}, {"at", at * 1e6}}}},
          {"memory", {{{"where", "system"}, {"bytes", 4096.0}, {"free bytes", 1024.0}}}},
          {"errors", {{{"kind", "corrected"}, {"memory errors", 3}}}}};
}

TEST(Top, rates_come_from_two_reports) {
  TopModel model;
  const TopRow first = model.update({report(10, 100, 50)}, 100)[0];
  EXPECT_FALSE(first.busy) << "one report tells no rate";
  EXPECT_FALSE(first.watts);
  const TopRow second = model.update({report(10.5, 101, 62)}, 102)[0];
  EXPECT_DOUBLE_EQ(*second.busy, 0.5);
  EXPECT_DOUBLE_EQ(*second.watts, 6);
  EXPECT_DOUBLE_EQ(*second.used, 3072);
  EXPECT_EQ(second.history.size(), 1u);
}

TEST(Top, what_is_not_known_is_a_dash_and_never_a_zero) {
  TopModel model;
  const std::string line = top_plain_line(model.update({Json{{"name", "x"}}}, 0)[0]);
  EXPECT_EQ(line, "x: busy -, memory -, power -, temperature -, clock -");
  EXPECT_EQ(top_lines(model.update({Json{{"name", "x"}}}, 1)[0], 80).size(), 1u);
}

TEST(Top, bars_and_histories_have_their_width) {
  EXPECT_EQ(bar(0.5, 10), "[|||||     ]");
  EXPECT_EQ(bar(7, 4), "[||||]");
  EXPECT_EQ(history({0, 1}, 4), "  ▁█");
  EXPECT_EQ(history({0, 0, 1}, 1), "█");
}

TEST(Top, a_page_is_never_longer_than_the_window) {
  TopModel model;
  const auto rows = model.update(std::vector<Json>(9, report(1, 1, 5)), 1);
  for (std::size_t height = 1; height < 60; ++height) EXPECT_LE(top_page(rows, 80, height).size(), height) << height;
  EXPECT_NE(top_page(rows, 80, 50)[1].find("memory ["), std::string::npos) << "bars where there is room";
  const auto lines = top_page(rows, 80, 10);
  EXPECT_EQ(lines[8], top_plain_line(rows[8])) << "a line for each device";
  EXPECT_EQ(lines[9], "  q quits");
  EXPECT_EQ(top_page(rows, 80, 5)[4], "  q quits, 5 more devices below the window");
}

TEST(Prometheus, one_help_and_type_for_each_name_and_escaped_labels) {
  const std::string text = prometheus_text({report(1, 1, 5), report(2, 2, 6)});
  EXPECT_NE(text.find("# TYPE zeroth_power_joules_total counter\nzeroth_power_joules_total{device=\"0\",name=\"a "
                      "\\\"GPU\\\"\",uuid=\"00-01\",number=\"0\",domain=\"package\"} 5\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("# TYPE zeroth_power_joules_total"), text.rfind("# TYPE zeroth_power_joules_total"));
  EXPECT_NE(text.find("zeroth_errors_total{device=\"1\",name=\"a \\\"GPU\\\"\",uuid=\"00-01\",kind=\"corrected\","
                      "category=\"memory errors\"} 3\n"),
            std::string::npos);
  EXPECT_EQ(text.find("zeroth_fan_rpm"), std::string::npos) << "no fan, no line";
}

} // namespace
