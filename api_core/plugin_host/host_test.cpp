// Each kind of broken plugin: one log line, one report, and the others work.
#include "plugin_host/host.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "config/load.hpp"
#include "config/test_folder.hpp"
#include "plugin_host/devices.hpp"
#include "plugin_host/testing/loaded_size.hpp"
#include "sdk/log.hpp"

namespace zeroth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Lines {
  std::vector<std::string> lines;
  LogSink sink{Level::Warning, &write, this};
  explicit Lines(Level level = Level::Warning) {
    sink.level = level;
    set_log_sink(&sink);
  }
  ~Lines() { set_log_sink(nullptr); }
  static void write(void* self, Level, std::string_view text) noexcept {
    static_cast<Lines*>(self)->lines.emplace_back(text);
  }
};

std::string sample(const std::string& name) { return std::string(ZEROTH_TEST_SAMPLES) + "/zeroth_" + name + ".so"; }

// Without the overlays of the built-in default, unless the text names some.
Config config_of(const std::string& yaml) {
  const bool named = yaml.find("overlays:") != std::string::npos;
  return read_config(named ? yaml : yaml + "\noverlays: []", "f.yaml", {});
}

HostSettings settings() {
  HostSettings settings;
  settings.plugin_folders = {ZEROTH_TEST_SAMPLES};
  return settings;
}

std::vector<std::string> names(const PluginHost::Plugins& plugins) {
  std::vector<std::string> out;
  for (const auto& plugin : plugins) out.push_back(plugin->name());
  return out;
}

// What a broken driver between two good ones comes to.
struct Outcome {
  PluginReport report;
  std::vector<std::string> lines;
  bool ran = false; // code of a plugin ran before it was judged
};

Outcome outcome_of(const std::string& driver, const HostSettings& with = settings()) {
  Lines lines;
  ::unsetenv("ZEROTH_TEST_RAN");
  PluginHost alone(config_of("drivers: [{plugin: " + driver + ", name: broken}]"), with);
  Outcome outcome{alone.reports().at(0), lines.lines, std::getenv("ZEROTH_TEST_RAN") != nullptr};
  EXPECT_THAT(alone.drivers(), IsEmpty());

  PluginHost host(config_of("drivers: [{plugin: good}, {plugin: " + driver + ", name: broken}, {plugin: good}]"),
                  settings());
  EXPECT_EQ(host.reports().size(), 3u);
  if (!with.privileged) {
    EXPECT_THAT(names(host.drivers()), ElementsAre("good", "good-2"));
  }
  return outcome;
}

void expect_fault(const Outcome& outcome, PluginFault fault, const std::string& reason) {
  EXPECT_EQ(outcome.report.state, PluginState::Failed);
  EXPECT_STREQ(to_string(outcome.report.fault), to_string(fault));
  EXPECT_THAT(outcome.report.reason, HasSubstr(reason));
  EXPECT_THAT(outcome.report.advice, testing::Not(IsEmpty()));
  EXPECT_THAT(outcome.lines, ElementsAre(log_line(outcome.report)));
  EXPECT_THAT(outcome.report.name, "broken");
}

TEST(BrokenPlugin, not_there) {
  const Outcome outcome = outcome_of("godo");
  expect_fault(outcome, PluginFault::NotFound, "zeroth_godo.so");
  EXPECT_EQ(outcome.report.advice, "`good`");
}

TEST(BrokenPlugin, not_elf) {
  const TestFolder folder;
  expect_fault(outcome_of(folder.write("zeroth_text.so", "a text\n")), PluginFault::NotElf, "not an ELF file");
}

std::string patched(const TestFolder& folder, std::size_t offset, char value) {
  const std::string file = folder / "zeroth_patched.so";
  std::filesystem::copy_file(sample("good"), file);
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(static_cast<std::streamoff>(offset));
  stream.put(value);
  return file;
}

TEST(BrokenPlugin, other_architecture) {
  const TestFolder folder;
  const Outcome outcome = outcome_of(patched(folder, offsetof(Elf64_Ehdr, e_machine), EM_SPARC));
  expect_fault(outcome, PluginFault::OtherArchitecture, "ELF machine 2");
}

TEST(BrokenPlugin, file_cut_short) {
  const TestFolder folder;
  std::ifstream stream(sample("good"), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(stream), {}};
  const std::string file = folder.write("zeroth_cut.so", whole.substr(0, loaded_size(whole) / 2));
  expect_fault(outcome_of(file), PluginFault::NotElf, "ends before its contents");
}

TEST(BrokenPlugin, symbol_missing) {
  const Outcome outcome = outcome_of("no_descriptor");
  expect_fault(outcome, PluginFault::SymbolMissing, "zeroth_plugin_descriptor");
  EXPECT_FALSE(outcome.ran);
  expect_fault(outcome_of("foreign"), PluginFault::SymbolMissing, "zeroth_plugin_descriptor");
  expect_fault(outcome_of("undefined"), PluginFault::SymbolMissing, "zeroth_test_symbol_that_nobody_has");
}

TEST(BrokenPlugin, dependency_missing) {
  expect_fault(outcome_of("needs_library"), PluginFault::DependencyMissing, "libzeroth_test_gone.so");
}

TEST(BrokenPlugin, old_and_new_abi_and_short_descriptor_before_any_of_its_code_runs) {
  for (const auto& [plugin, fault, reason] :
       {std::tuple{"old_abi", PluginFault::OldAbi, "ABI 0"}, std::tuple{"new_abi", PluginFault::NewAbi, "ABI 99"},
        std::tuple{"cut_short", PluginFault::CutShort, "16 bytes"},
        std::tuple{"overlay", PluginFault::WrongKind, "an overlay"}}) {
    const Outcome outcome = outcome_of(plugin);
    expect_fault(outcome, fault, reason);
    EXPECT_FALSE(outcome.ran) << plugin;
  }
}

TEST(BrokenPlugin, init_fails_with_the_plugins_own_words) {
  const Outcome outcome = outcome_of("init_fails");
  expect_fault(outcome, PluginFault::InitFailed, "the sample has no fuel (its init returned 0x70020000)");
  EXPECT_EQ(outcome.report.advice, "fill it up");
}

TEST(BrokenPlugin, init_throws) {
  Outcome outcome = outcome_of("init_throws");
  EXPECT_THAT(outcome.report.reason, HasSubstr("the sample is cross"));
  EXPECT_EQ(outcome.report.fault, PluginFault::InitThrew);
  EXPECT_EQ(outcome.lines.size(), 1u);
}

TEST(BrokenPlugin, no_devices) {
  Lines lines;
  PluginHost host(config_of("drivers: [no_devices, good]"), settings());
  EXPECT_THAT(names(host.drivers()), ElementsAre("no_devices", "good"));
  check_devices(host);
  EXPECT_THAT(names(host.drivers()), ElementsAre("good"));
  EXPECT_EQ(host.reports()[0].fault, PluginFault::NoDevices);
  EXPECT_EQ(host.reports()[1].state, PluginState::Loaded);
  EXPECT_THAT(lines.lines, ElementsAre(log_line(host.reports()[0])));
}

TEST(BrokenPlugin, an_overlay_that_refuses_a_driver_stays_for_the_others) {
  Lines lines;
  PluginHost host(config_of("drivers: [good]\noverlays: [refuses]"), settings());
  ASSERT_EQ(host.overlays().size(), 1u);
  Library::Failure failure;
  zeroth_overlay_target target{};
  EXPECT_FALSE(host.overlays()[0]->apply(target, failure));
  host.refused(*host.overlays()[0], "good", failure);
  EXPECT_EQ(host.overlays().size(), 1u);
  EXPECT_EQ(host.reports()[1].fault, PluginFault::ApplyFailed);
  EXPECT_THAT(host.reports()[1].reason, HasSubstr("over driver good: the sample is choosy"));
  EXPECT_THAT(lines.lines, ElementsAre(log_line(host.reports()[1])));
}

TEST(BrokenPlugin, writable_by_others_when_privileged) {
  const TestFolder folder;
  const std::string file = folder / "zeroth_open.so";
  std::filesystem::copy_file(sample("good"), file);
  ::chmod(file.c_str(), 0666);
  HostSettings privileged = settings();
  privileged.privileged = true;
  const PluginHost host(config_of("drivers: [" + file + "]"), privileged);
  EXPECT_EQ(host.reports()[0].fault, PluginFault::Untrusted);
  EXPECT_THAT(host.reports()[0].reason, HasSubstr("may be written by others"));
  const PluginHost trusting(config_of("drivers: [" + file + "]"), settings());
  EXPECT_EQ(trusting.reports()[0].state, PluginState::Loaded);
}

TEST(BrokenPlugin, an_overlay_of_a_newer_api_is_refused_a_device_is_not) {
  const PluginHost host(config_of("drivers: [newer_device]\noverlays: [newer_overlay]"), settings());
  EXPECT_EQ(host.reports()[0].state, PluginState::Loaded);
  EXPECT_EQ(host.reports()[1].fault, PluginFault::NewerApi);
}

TEST(PluginHost, optional_disabled_and_loaded_entries_have_reports_too) {
  Lines lines;
  const PluginHost host(config_of("drivers: [{plugin: absent, optional: true}, {plugin: good, enabled: false}, good, "
                                  "{library: libno_such_driver.so.1, optional: true}]\noverlays: [overlay]"),
                        settings());
  ASSERT_EQ(host.reports().size(), 5u);
  EXPECT_EQ(host.reports()[0].state, PluginState::Absent);
  EXPECT_EQ(host.reports()[1].state, PluginState::Disabled);
  EXPECT_EQ(host.reports()[2].state, PluginState::Loaded);
  EXPECT_EQ(host.reports()[2].version, "1.2.3");
  EXPECT_EQ(host.reports()[2].options.at(1).name, "memory");
  EXPECT_EQ(host.reports()[2].path, std::filesystem::canonical(sample("good")).string());
  EXPECT_EQ(host.reports()[3].state, PluginState::Absent);
  EXPECT_EQ(host.reports()[4].kind, "overlay");
  EXPECT_THAT(lines.lines, IsEmpty());
}

TEST(PluginHost, two_entries_of_one_file_have_options_of_their_own) {
  const PluginHost host(
      config_of("drivers: [{plugin: good, options: {threads: 3}}, {plugin: good, options: {threads: 5}}, good]"),
      settings());
  ASSERT_EQ(host.drivers().size(), 3u);
  const auto threads = [&](int i) {
    return std::string(static_cast<const char*>(host.drivers()[i]->symbol("sample_threads")));
  };
  EXPECT_EQ(threads(0), "3");
  EXPECT_EQ(threads(1), "5");
  EXPECT_EQ(threads(2), "none");
}

TEST(PluginHost, a_plugin_may_watch_the_log_of_the_whole_process_as_long_as_it_lives) {
  std::vector<std::string> seen;
  const auto see = [](void* to, zeroth_log_level level, const char* text, std::size_t size) {
    static_cast<std::vector<std::string>*>(to)->push_back(std::to_string(level) + " " + std::string(text, size));
  };
  Lines lines(Level::Off);
  {
    PluginHost host(config_of("drivers: [{plugin: good}, {plugin: good, name: other}]"), settings());
    const zeroth_host* watcher = host.drivers()[0]->host();
    const zeroth_host* other = host.drivers()[1]->host();
    watcher->watch_log(watcher, ZEROTH_LOG_WARNING, see, &seen);
    log(Level::Warning, "of the core");
    log(Level::Info, "too fine");
    other->log(other, ZEROTH_LOG_ERROR, "of a plugin", std::strlen("of a plugin"));
    EXPECT_GE(other->log_level, ZEROTH_LOG_WARNING) << "else it would not build the line";
  }
  log(Level::Warning, "nobody watches");
  EXPECT_THAT(seen, ElementsAre("2 of the core", "1 other: of a plugin"));
  EXPECT_THAT(lines.lines, IsEmpty()) << "the log keeps what it is told to keep";
}

TEST(PluginHost, wrong_options_are_noted_and_logged_and_the_plugin_loads) {
  Lines lines;
  const PluginHost host(config_of("drivers: [{plugin: good, options: {thraeds: 3}}]"), settings());
  EXPECT_EQ(host.reports()[0].state, PluginState::Loaded);
  EXPECT_THAT(host.reports()[0].notes, ElementsAre("f.yaml:1:36: unknown option `thraeds` (did you mean `threads`?)"));
  EXPECT_THAT(lines.lines, ElementsAre("device good: " + host.reports()[0].notes[0]));
}

TEST(PluginHost, another_makers_driver_loads_by_library_and_has_no_descriptor) {
  const PluginHost host(config_of("drivers: [{library: " + sample("foreign") + "}, {library: " + sample("good") + "}]"),
                        settings());
  ASSERT_EQ(host.drivers().size(), 2u);
  EXPECT_TRUE(host.drivers()[0]->foreign());
  EXPECT_EQ(host.drivers()[0]->name(), "foreign");
  EXPECT_NE(host.drivers()[0]->symbol("zeGetDriverProcAddrTable"), nullptr);
  EXPECT_FALSE(host.drivers()[1]->foreign());
}

TEST(PluginHost, an_overlay_of_sysman_waits_until_it_is_woken) {
  Lines lines(Level::Info);
  HostSettings waiting = settings();
  waiting.sysman_waits = true;
  ::unsetenv("ZEROTH_TEST_RAN");
  PluginHost host(config_of("drivers: []\noverlays: [refuses, sysman_overlay]"), waiting);
  EXPECT_THAT(names(host.overlays()), ElementsAre("refuses"));
  EXPECT_EQ(host.waiting("refuses"), std::nullopt);
  ASSERT_EQ(host.waiting("sysman_overlay"), 1u);
  const auto woken = host.wake("sysman_overlay");
  ASSERT_NE(woken, nullptr);
  EXPECT_EQ(woken->host()->overlay_number, 1u);
  EXPECT_EQ(host.wake("sysman_overlay"), woken);
  EXPECT_EQ(host.waiting("sysman_overlay"), std::nullopt);
  EXPECT_EQ(host.wake("nobody"), nullptr);
}

TEST(PluginHost, overlays_have_numbers_and_interfaces) {
  Lines lines(Level::Info);
  const PluginHost host(
      config_of("drivers: [good]\noverlays: [{plugin: overlay, name: a}, {plugin: overlay, name: b}]"), settings());
  ASSERT_EQ(host.overlays().size(), 2u);
  EXPECT_EQ(host.overlays()[0]->host()->overlay_number, 0u);
  EXPECT_EQ(host.overlays()[1]->host()->overlay_number, 1u);
  EXPECT_NE(host.overlays()[0]->find_interface("sample", 1), nullptr);
  EXPECT_EQ(host.overlays()[0]->find_interface("sample", 2), nullptr);
  EXPECT_THAT(lines.lines, testing::Contains("b: init of a sample"));
}

TEST(PluginHost, alternative_drivers_stand_in_and_keep_the_options_of_their_plugin) {
  Config config = config_of("drivers: [{plugin: x}, {plugin: good, options: {threads: 9}}]");
  use_alternative_drivers(config, " " + sample("good") + ", ," + sample("foreign") + ",libno_such_driver.so.1");
  Lines lines;
  const PluginHost host(std::move(config), settings());
  EXPECT_EQ(host.reports().size(), 3u);
  ASSERT_EQ(host.drivers().size(), 2u);
  EXPECT_STREQ(static_cast<const char*>(host.drivers()[0]->symbol("sample_threads")), "9");
  EXPECT_TRUE(host.drivers()[1]->foreign());
  EXPECT_EQ(host.reports()[2].fault, PluginFault::NotFound);
  EXPECT_EQ(lines.lines.size(), 1u);
}

TEST(PluginHost, plugins_are_ended_when_the_last_user_goes) {
  testing::internal::CaptureStderr();
  std::shared_ptr<LoadedPlugin> kept;
  {
    const PluginHost host(config_of("drivers: [{plugin: good, name: first}, {plugin: good, name: second}]"),
                          settings());
    kept = host.drivers()[0];
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "fini of second\n");
  EXPECT_EQ(kept->driver_config()->plugin.value, "good");
  testing::internal::CaptureStderr();
  kept.reset();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "fini of first\n");
}

TEST(PluginHostDeathTest, plugins_are_left_alone_while_the_process_exits) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        static std::unique_ptr<PluginHost> host; // its destructor runs at exit
        host = std::make_unique<PluginHost>(config_of("drivers: [good]"), settings());
        if (host->drivers().size() != 1) std::exit(3);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^$");
}

} // namespace
} // namespace zeroth
