#include "config/rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/literal.hpp"
#include "config/load.hpp"
#include "config/nearest.hpp"

namespace zeroth {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> check(std::string_view text) { return check_config(text, "f.yaml"); }

TEST(Nearest, a_slip_of_the_hand_is_recognised) {
  EXPECT_EQ(edit_distance("drivers", "dirvers"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(nearest("dirvers", {"overlays", "drivers", "log"}), "drivers");
  EXPECT_EQ(nearest("colour", {"overlays", "drivers", "log"}), "");
  EXPECT_EQ(nearest(std::string(100000, 'x'), {"log"}), "");
}

TEST(Rules, an_unknown_key_is_named_with_its_place_and_the_nearest_valid_one) {
  EXPECT_THAT(check("log:\n  levle: info\n"),
              ElementsAre("f.yaml:2:3: unknown key `levle` in log (did you mean `level`?)"));
  EXPECT_THAT(check("overlay: []\n"),
              ElementsAre("f.yaml:1:1: unknown key `overlay` in config (did you mean `overlays`?)"));
  EXPECT_THAT(check("log: {colour: red}\n"),
              ElementsAre("f.yaml:1:7: unknown key `colour` in log (one of: level, file)"));
}

TEST(Rules, all_problems_are_reported_in_file_order) {
  EXPECT_THAT(check("strict: maybe\nzero_drivers: sucess\ndrivers: cpu\n"),
              ElementsAre("f.yaml:1:9: `strict` must be true or false, not a string",
                          "f.yaml:2:15: `sucess` is no value of `zero_drivers` (did you mean `success`?)",
                          "f.yaml:3:10: `drivers` must be a list, not a string"));
}

TEST(Rules, entries_of_lists_are_checked) {
  EXPECT_THAT(check("drivers: [cpu, 5, {plugin: 3}, {plugn: cpu}]\n"),
              ElementsAre("f.yaml:1:16: an item of `drivers` must be a string or a map, not an integer",
                          "f.yaml:1:28: `plugin` must be a string, not an integer",
                          "f.yaml:1:33: unknown key `plugn` in driver (did you mean `plugin`?)"));
}

TEST(Rules, what_must_be_there_is_missed) {
  EXPECT_THAT(check("drivers: [{optional: true}]\n"),
              ElementsAre("f.yaml:1:11: a driver needs one of `plugin` and `library`"));
  EXPECT_THAT(check("drivers: [{plugin: a, library: b}]\n"),
              ElementsAre("f.yaml:1:11: a driver needs one of `plugin` and `library`"));
  EXPECT_THAT(check("overlays: [{name: a}]\n"), ElementsAre("f.yaml:1:12: an overlay needs `plugin`"));
  EXPECT_THAT(check("profiles: [{report_as: gpu}]\n"), ElementsAre("f.yaml:1:12: a profile needs `program`"));
  EXPECT_THAT(check("drivers: [{plugin: \"\"}]\n"), ElementsAre("f.yaml:1:20: `plugin` is empty"));
}

TEST(Rules, what_does_not_fit_together_is_named) {
  EXPECT_THAT(check("drivers: [{plugin: a, name: x}, {plugin: b, name: x}]\n"),
              ElementsAre("f.yaml:1:51: two drivers are called `x`"));
  EXPECT_THAT(check("overlays: [sysman, count, sysman]\n"),
              ElementsAre("f.yaml:1:27: overlay `sysman` is listed twice"));
  EXPECT_THAT(check("overlays: [{plugin: a, name: b}, {plugin: a, name: c}, {plugin: a, options: {d: 1}}, a]\n"),
              ElementsAre());
  EXPECT_THAT(check("drivers: [{plugin: a, overlays: [cuont]}]\noverlays: [count]\n"),
              ElementsAre("f.yaml:1:33: driver `a` names the unknown overlay `cuont` (did you mean `count`?)"));
}

TEST(Rules, masks_and_versions_have_their_form) {
  for (const char* good : {"", "0", "0,1", "0.1,2", "10.20,3.4"}) EXPECT_TRUE(is_device_mask(good)) << good;
  for (const char* bad : {",", "0,", ".1", "0.", "0.1.2", "a", "0 ,1", "-1"}) EXPECT_FALSE(is_device_mask(bad)) << bad;
  std::uint32_t version = 0;
  EXPECT_TRUE(parse_driver_version("1.14.36035", version));
  EXPECT_EQ(version, 0x010E8CC3u);
  EXPECT_TRUE(parse_driver_version("17", version));
  EXPECT_EQ(version, 17u);
  for (const char* bad : {"", "1.2", "1.2.3.4", "256.0.0", "1.2.70000", "x", "1.2.3x", "-1", "99999999999"})
    EXPECT_FALSE(parse_driver_version(bad, version)) << bad;
  EXPECT_THAT(check("drivers: [{plugin: cpu, device_mask: 0, identity: {driver_version: 3}}]"), IsEmpty());
  EXPECT_THAT(check("drivers: [{plugin: cpu, device_mask: 0.1}]"), IsEmpty());
  EXPECT_THAT(check("drivers: [{plugin: cpu, device_mask: \"0;1\"}]"),
              ElementsAre("f.yaml:1:38: `0;1` of `device_mask` is not device numbers such as 0,1.0"));
}

void expect_same(const Tree& a, const Tree& b) {
  EXPECT_EQ(a.type, b.type) << a.origin.text();
  EXPECT_EQ(a.text, b.text);
  EXPECT_EQ(a.origin.text(), b.origin.text());
  ASSERT_EQ(a.items.size(), b.items.size());
  ASSERT_EQ(a.members.size(), b.members.size());
  for (std::size_t i = 0; i < a.items.size(); ++i) expect_same(a.items[i], b.items[i]);
  for (std::size_t i = 0; i < a.members.size(); ++i) {
    EXPECT_EQ(a.members[i].key, b.members[i].key);
    EXPECT_EQ(a.members[i].key_origin.text(), b.members[i].key_origin.text());
    expect_same(a.members[i].value, b.members[i].value);
  }
}

TEST(Rules, the_default_as_data_is_what_its_text_says) {
  const auto source = std::make_shared<const std::string>("default.yaml");
  expect_same(tree_of(embedded_default_tree, source), parse_yaml(embedded_default_text(), source));
}

TEST(Rules, the_default_is_right) { EXPECT_THAT(check_config(embedded_default_text(), "default.yaml"), IsEmpty()); }

} // namespace
} // namespace zeroth
