#include "config/load.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/test_folder.hpp"

namespace zeroth {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct ConfigFiles : testing::Test {
  TestFolder folder;
  LoadRequest request;

  ConfigFiles() {
    request.user_file = folder / "home/config.yaml";
    request.system_file = folder / "etc/config.yaml";
    request.program = {"prog"};
  }
  Config load() const { return load_config(request); }
};

std::vector<std::string> names(const Config& config) {
  std::vector<std::string> out;
  for (const DriverConfig& driver : config.drivers) out.push_back(driver.name);
  return out;
}

TEST_F(ConfigFiles, with_no_file_the_embedded_default_is_in_force) {
  const Config config = load();
  EXPECT_EQ(config.source, "built-in default");
  EXPECT_THAT(config.problems, IsEmpty());
  EXPECT_EQ(config.drivers.back().name.value, "cpu");
  EXPECT_EQ(config.drivers.back().plugin.value, "cpu");
  EXPECT_FALSE(config.drivers.back().optional);
  EXPECT_EQ(config.report_as, ReportAs::Auto);
  EXPECT_EQ(config.zero_drivers, ZeroDrivers::Error);
}

TEST_F(ConfigFiles, the_first_that_exists_counts_environment_then_user_then_system) {
  folder.write("etc/config.yaml", "drivers: [system]\n");
  EXPECT_THAT(names(load()), ElementsAre("system"));
  folder.write("home/config.yaml", "drivers: [user]\n");
  EXPECT_THAT(names(load()), ElementsAre("user"));
  request.environment_file = folder.write("mine.yaml", "drivers: [mine]\n");
  EXPECT_THAT(names(load()), ElementsAre("mine"));
  EXPECT_EQ(load().source, request.environment_file);
}

TEST_F(ConfigFiles, what_a_file_does_not_say_comes_from_the_default) {
  folder.write("home/config.yaml", "log: {level: debug}\n");
  const Config config = load();
  EXPECT_EQ(config.log.level, Level::Debug);
  EXPECT_EQ(config.drivers.back().name.value, "cpu");
}

TEST_F(ConfigFiles, a_privileged_process_ignores_environment_and_user) {
  request.environment_file = folder.write("mine.yaml", "drivers: [mine]\n");
  folder.write("home/config.yaml", "drivers: [user]\n");
  request.privileged = true;
  const Config config = load();
  EXPECT_EQ(config.source, "built-in default");
  EXPECT_THAT(config.searched, Contains(HasSubstr("ignored, the process is privileged")).Times(2));
}

TEST_F(ConfigFiles, a_privileged_process_refuses_a_system_file_that_others_may_write) {
  const std::string file = folder.write("etc/config.yaml", "strict: true\ndrivers: [system]\n");
  std::filesystem::permissions(file, std::filesystem::perms::others_write, std::filesystem::perm_options::add);
  EXPECT_THAT(names(load()), ElementsAre("system"));
  request.privileged = true;
  const Config config = load();
  EXPECT_EQ(config.source, "built-in default");
  EXPECT_THAT(config.problems, ElementsAre(HasSubstr("may be written by others")));
}

TEST_F(ConfigFiles, a_wrong_file_gives_the_default_and_the_reasons) {
  const std::string file = folder.write("home/config.yaml", "drivers: [user]\nlogg: {}\nstrict: 3\n");
  const Config config = load();
  EXPECT_EQ(config.source, "built-in default");
  EXPECT_THAT(config.problems, ElementsAre(file + ":2:1: unknown key `logg` in config (did you mean `log`?)",
                                           file + ":3:9: `strict` must be true or false, not an integer"));
}

TEST_F(ConfigFiles, a_wrong_strict_file_is_an_error) {
  folder.write("home/config.yaml", "strict: true\nlogg: {}\n");
  EXPECT_THROW(load(), ConfigError);
  folder.write("home/config.yaml", "logg: [\nstrict: true\n");
  EXPECT_THROW(load(), ConfigError);
  folder.write("home/config.yaml", "strict: false\nlogg: {}\n");
  EXPECT_NO_THROW(load());
}

TEST_F(ConfigFiles, a_file_that_the_environment_names_must_be_there) {
  folder.write("home/config.yaml", "drivers: [user]\n");
  request.environment_file = folder / "missing.yaml";
  const Config config = load();
  EXPECT_EQ(config.source, "built-in default");
  EXPECT_THAT(config.problems, ElementsAre(HasSubstr("missing.yaml: cannot be read: No such file")));
}

TEST_F(ConfigFiles, folders_and_devices_are_no_configuration) {
  for (const char* path : {"/dev/zero", "/proc"}) {
    request.environment_file = path;
    EXPECT_THAT(load().problems, ElementsAre(HasSubstr("cannot be read"))) << path;
  }
}

TEST_F(ConfigFiles, the_environment_can_ask_for_the_default) {
  folder.write("home/config.yaml", "drivers: [user]\n");
  request.environment_file = "default";
  const Config config = load();
  EXPECT_EQ(config.source, "built-in default");
  EXPECT_THAT(config.problems, IsEmpty());
}

TEST_F(ConfigFiles, the_log_level_of_the_environment_wins) {
  request.log_level = "trace";
  EXPECT_EQ(load().log.level, Level::Trace);
  EXPECT_EQ(load().log.level.origin.text(), "environment variable ZEROTH_LOG");
  request.log_level = "wraning";
  EXPECT_EQ(load().log.level, Level::Warning);
  EXPECT_THAT(load().problems, ElementsAre("ZEROTH_LOG: `wraning` is no log level (did you mean `warning`?)"));
}

TEST_F(ConfigFiles, every_setting_knows_where_it_comes_from) {
  const std::string file = folder.write("home/config.yaml", "drivers:\n  - plugin: cpu\n    options: {threads: 4}\n");
  std::string found;
  for (const ExplainedSetting& setting : explain(load())) {
    EXPECT_THAT(setting.origin, testing::Not("built in")) << setting.key;
    if (setting.key == "drivers.0.options.threads") found = setting.value + " " + setting.origin;
    if (setting.key == "zero_drivers") {
      EXPECT_THAT(setting.origin, HasSubstr("built-in default:"));
    }
  }
  EXPECT_EQ(found, "4 " + file + ":3:24");
}

TEST_F(ConfigFiles, relative_paths_count_from_the_file) {
  folder.write("home/config.yaml",
               "plugin_path: [plugins, /abs]\ndrivers: [./a.so, {library: x/b.so}, {library: c.so}]\n");
  const Config config = load();
  const std::string home = folder / "home";
  EXPECT_THAT(config.plugin_path.value, ElementsAre(home + "/plugins", "/abs"));
  EXPECT_EQ(config.drivers[0].plugin.value, home + "/./a.so");
  EXPECT_EQ(config.drivers[1].library.value, home + "/x/b.so");
  EXPECT_EQ(config.drivers[2].library.value, "c.so");
}

Config read(std::string_view text, const std::vector<std::string>& program = {}) {
  return read_config(text, "f.yaml", program);
}

TEST(Config, drivers_without_a_name_get_their_files_and_a_number) {
  EXPECT_THAT(
      names(read("drivers: [cpu, cpu, {library: libze_x.so.1}, {plugin: /p/zeroth_y.so}, {plugin: cpu, name: cpu-2}]")),
      ElementsAre("cpu", "cpu-3", "ze_x", "y", "cpu-2"));
}

TEST(Config, report_as_of_the_driver_beats_the_tops) {
  const Config config = read("report_as: gpu\ndrivers: [{plugin: a}, {plugin: b, report_as: cpu}]");
  EXPECT_EQ(config.drivers[0].report_as, ReportAs::Gpu);
  EXPECT_EQ(config.drivers[1].report_as, ReportAs::Cpu);
}

TEST(Config, profiles_match_program_names_and_apply_in_order) {
  const char* text = "report_as: cpu\n"
                     "drivers: [{plugin: a, report_as: cpu}]\n"
                     "profiles:\n"
                     "  - {program: 'blend*', report_as: gpu}\n"
                     "  - {program: [x, blender], zero_drivers: success}\n"
                     "  - {program: y, drivers: [b]}\n";
  const Config blender = read(text, {"blender"});
  EXPECT_EQ(blender.drivers[0].report_as, ReportAs::Gpu);
  EXPECT_EQ(blender.zero_drivers, ZeroDrivers::Success);
  EXPECT_EQ(blender.profiles.size(), 2u);
  EXPECT_THAT(names(blender), ElementsAre("a"));
  EXPECT_THAT(names(read(text, {"", "y"})), ElementsAre("b"));
  EXPECT_EQ(read(text, {"other"}).drivers[0].report_as, ReportAs::Cpu);
}

TEST(Config, overlays_default_to_all_enabled_ones_in_order) {
  const Config config = read("overlays: [a, {plugin: b, enabled: false}, c]\n"
                             "drivers: [x, {plugin: y, overlays: [c, b, a]}, {plugin: z, overlays: []}]\n");
  EXPECT_THAT(config.drivers[0].overlays.value, ElementsAre("a", "c"));
  EXPECT_THAT(config.drivers[1].overlays.value, ElementsAre("c", "a"));
  EXPECT_THAT(config.drivers[2].overlays.value, IsEmpty());
}

TEST(Config, a_plugin_sees_its_options_its_devices_and_its_mask) {
  const Config config =
      read("drivers: [{plugin: cpu, options: {threads: 4}, devices: {0: {name: x}}, device_mask: '0'}]");
  EXPECT_EQ(plugin_options(config.drivers[0]).to_json(),
            R"({"threads":4,"devices":{"0":{"name":"x"}},"device_mask":"0"})");
}

} // namespace
} // namespace zeroth
