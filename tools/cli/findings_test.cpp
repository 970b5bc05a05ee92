#include "cli/findings.hpp"

#include "config/load.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace zeroth::cli {
namespace {

Config config_of(const char* text) { return read_config(text, "mine.yaml", {"program"}); }

const Finding* about(const Findings& findings, const std::string& subject) {
  for (const Finding& finding : findings)
    if (finding.subject == subject) return &finding;
  return nullptr;
}

TEST(Findings, AMissingPluginIsAProblemWithAReason) {
  const Findings findings = examine_plugins(config_of("drivers: [{plugin: there_is_no_such_plugin}]\n"));
  const Finding* finding = about(findings, "there_is_no_such_plugin");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->level, Finding::Level::Problem);
  EXPECT_NE(finding->text, "");
  EXPECT_NE(finding->advice, "");
}

TEST(Findings, AnOptionalLibraryThatIsNotThereIsOnlyANote) {
  const Findings findings = examine_plugins(config_of("drivers: [{library: libze_nobody.so.9, optional: true}]\n"));
  ASSERT_NE(about(findings, "ze_nobody"), nullptr);
  EXPECT_EQ(about(findings, "ze_nobody")->level, Finding::Level::Note);
}

TEST(Findings, NoDriverAtAllIsAProblem) { EXPECT_TRUE(has_problem(examine_plugins(config_of("drivers: []\n")))); }

TEST(Findings, ProblemsOfTheConfigurationAreReported) {
  Config config = config_of("");
  EXPECT_FALSE(has_problem(examine_configuration(config)));
  config.problems.push_back("mine.yaml:1:1: unknown key");
  EXPECT_TRUE(has_problem(examine_configuration(config)));
}

TEST(Findings, TheEnvironmentThatSteersUsIsListed) {
  setenv("ZE_AFFINITY_MASK", "0.1", 1);
  const Findings findings = examine_environment();
  unsetenv("ZE_AFFINITY_MASK");
  ASSERT_NE(about(findings, "ZE_AFFINITY_MASK"), nullptr);
  EXPECT_EQ(about(findings, "ZE_AFFINITY_MASK")->text, "0.1");
  EXPECT_EQ(about(findings, "PATH"), nullptr);
}

TEST(Findings, TheReportHoldsAllParts) {
  const Json report = findings_report({{Finding::Level::Problem, "plugins", "x", "broken", "mend it"}});
  EXPECT_EQ(report[0]["level"], "PROBLEM");
  EXPECT_EQ(report[0]["advice"], "mend it");
}

} // namespace
} // namespace zeroth::cli
