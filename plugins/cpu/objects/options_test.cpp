#include "options.hpp"

#include <sdk/log.hpp>
#include <sdk/zeroth_plugin.h>

#include <gtest/gtest.h>
#include <map>

namespace zeroth::cpu {
namespace {

std::map<std::string, std::string> settings, told; // told: by the option's name
LogSink sink;

const char* option(const zeroth_host*, const char* key) {
  const auto found = settings.find(key);
  return found == settings.end() ? nullptr : found->second.c_str();
}

void keep(void*, Level, std::string_view line) noexcept {
  constexpr std::string_view Begin = "plugin cpu: option ";
  if (!line.starts_with(Begin)) return;
  line.remove_prefix(Begin.size());
  told[std::string(line.substr(0, line.find(':')))] = line;
}

class Options : public testing::Test {
protected:
  void SetUp() override {
    told.clear();
    sink = {Level::Warning, &keep, nullptr};
    set_log_sink(&sink);
  }
  void TearDown() override { set_log_sink(nullptr); }

  DriverOptions read(std::map<std::string, std::string> values) {
    settings = std::move(values);
    zeroth_host host{};
    host.struct_size = sizeof host;
    host.option = &option;
    return read_options(host);
  }
};

TEST_F(Options, OfEveryKindAreTaken) {
  const DriverOptions all = read({{"threads", "3"},
                                  {"cores", "0-3,8"},
                                  {"placement", "core"},
                                  {"sub_devices", "0-3;4-7"},
                                  {"cpu", "avx2"},
                                  {"compiler", "/bin/sh"}});
  EXPECT_EQ(all.threads, 3u);
  EXPECT_EQ(all.cores, "0-3,8");
  EXPECT_TRUE(all.pin);
  EXPECT_EQ(all.sub_devices, "0-3;4-7");
  EXPECT_EQ(all.cpu, "avx2");
  EXPECT_EQ(all.compiler, "/bin/sh");
  for (const char* how : {"", "0", "12", "numa", "5", "0;1"}) EXPECT_EQ(read({{"sub_devices", how}}).sub_devices, how);
  EXPECT_EQ(read({{"compiler", "in-process"}}).compiler, "in-process");
  EXPECT_FALSE(read({{"placement", "none"}}).pin);
  EXPECT_TRUE(told.empty()) << told.begin()->second;
}

TEST_F(Options, OfTheDeviceGoBeforeThoseOfThePlugin) {
  EXPECT_EQ(read({{"threads", "3"}, {"devices.0.threads", "2"}}).threads, 2u);
  EXPECT_EQ(read({{"threads", "3"}, {"devices.1.threads", "2"}}).threads, 3u);
  EXPECT_EQ(read({{"device_mask", "0.1"}}).device_mask, "0.1");
}

TEST_F(Options, ThatMeanNothingAreToldAndNotTaken) {
  const std::map<std::string, std::vector<const char*>> wrong = {
      {"threads", {"-1", "99999999999999999999", "2x", "two"}},
      {"cores", {"x", "-1", "3-", "0,,1", "2-1", "0-99999"}},
      {"placement", {"cores", "1"}},
      {"sub_devices", {"-5", "x", "numa2", "0-1;x", "3.5", ";", "65"}},
      {"cpu", {"z80", "AVX2"}},
      {"compiler", {"foo", "/nonexistent/zeroth-kernelc", "/etc/passwd", "/"}}};
  for (const auto& [key, values] : wrong)
    for (const char* value : values) {
      told.clear();
      const DriverOptions none = read({{key, value}});
      EXPECT_EQ(told.size(), 1u) << key << ' ' << value;
      EXPECT_NE(told[key].find(std::string("`") + value + "`"), std::string::npos) << key << ' ' << value;
      EXPECT_EQ(none.threads, 0u);
      EXPECT_FALSE(none.pin);
      for (const std::string* text : {&none.cores, &none.sub_devices, &none.cpu, &none.compiler})
        EXPECT_EQ(*text, "") << key << ' ' << value;
    }
}

} // namespace
} // namespace zeroth::cpu
