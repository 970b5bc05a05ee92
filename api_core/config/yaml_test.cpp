#include "config/yaml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace zeroth {
namespace {

using testing::HasSubstr;

Tree parse(std::string_view text) { return parse_yaml(text, std::make_shared<const std::string>("f.yaml")); }

std::string error_of(std::string_view text) {
  try {
    parse(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Yaml, values_keep_order_type_and_place) {
  const Tree tree = parse("b: [1, 2.5, true, ~, \"7\", x]\na:\n  c: d\n");
  EXPECT_EQ(tree.to_json(), R"({"b":[1,2.5,true,null,"7","x"],"a":{"c":"d"}})");
  EXPECT_EQ(tree.at_path("a.c")->origin.text(), "f.yaml:3:6");
  EXPECT_EQ(tree.at_path("b.4")->type, Type::String);
  EXPECT_EQ(tree.at_path("b.6"), nullptr);
  EXPECT_EQ(tree.at_path("a.c.d"), nullptr);
}

TEST(Yaml, on_and_off_are_words_as_yaml_1_2_has_them) {
  EXPECT_EQ(parse("[on, off, yes, no]").to_json(), R"(["on","off","yes","no"])");
}

TEST(Yaml, json_output_is_json_for_numbers_that_only_yaml_knows) {
  EXPECT_EQ(parse("[+5, 007, .5, 1., -3, 1e3, 1.14.3, -]").to_json(), R"(["+5","007",".5","1.",-3,1e3,"1.14.3","-"])");
  EXPECT_EQ(parse("\"a\\\"b\\\\c\\n\"").to_json(), R"("a\"b\\c\u000a")");
}

TEST(Yaml, anchors_and_merge_keys_save_writing) {
  const Tree tree = parse("a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  q: 3\nc: *x\n");
  EXPECT_EQ(tree.find("b")->to_json(), R"({"q":3,"p":1})");
  EXPECT_EQ(tree.find("c")->to_json(), R"({"p":1,"q":2})");
}

TEST(Yaml, errors_name_line_and_column) {
  EXPECT_THAT(error_of("a: 1\nb: [1, 2\n"), HasSubstr("f.yaml:"));
  EXPECT_EQ(error_of("a: {b: 1\n"), "f.yaml:2:1: a `{` above is not closed");
  EXPECT_EQ(error_of("a: 1\nb: 2\na: 3\n"), "f.yaml:3:1: key `a` is given twice");
  EXPECT_EQ(error_of("a:\n  <<: 5\n"), "f.yaml:2:7: `<<` takes a map or a list of maps");
  EXPECT_EQ(error_of("? [1]\n: 2\n"), "f.yaml:1:3: a key must be a plain word");
  EXPECT_EQ(error_of("a: 1\n---\nb: 2\n"), "f.yaml:1:1: more than one YAML document");
  EXPECT_THAT(error_of("a: &x [*x]\n"), HasSubstr("alias inside"));
  EXPECT_THAT(error_of("a: *nothing\n"), HasSubstr("f.yaml:1:"));
  EXPECT_EQ(error_of(std::string_view("a: 1\nb: \0", 9)), "f.yaml:2:1: not a text file: it has a zero byte");
}

TEST(Yaml, a_tab_that_begins_a_line_is_named) {
  const std::string expected = "f.yaml:2:1: a tab begins this line; YAML takes spaces alone";
  for (const char* text : {"drivers:\n\t- cpu\n", "log:\n \tlevel: debug\n", "a:\n\tb: 1\nc: 2\n"})
    EXPECT_EQ(error_of(text), expected) << text;
  EXPECT_EQ(parse("a: [1,\n\t2]\nb: |\n  \tc\n").find("b")->text, "\tc\n") << "where YAML allows them";
  EXPECT_THAT(error_of("a: 1\nb: [1, 2\n"), Not(HasSubstr("tab")));
}

TEST(Yaml, an_empty_text_is_nothing) {
  EXPECT_EQ(parse("").type, Type::Null);
  EXPECT_EQ(parse("# only a comment\n").type, Type::Null);
}

TEST(Yaml, expansion_of_aliases_is_bounded) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1) + ", ";
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) text += before;
    text += "]\n";
  }
  EXPECT_THAT(error_of(text), HasSubstr("more than 5000 values"));
}

TEST(Yaml, nesting_and_size_are_bounded) {
  EXPECT_THAT(error_of(std::string(100, '[')), HasSubstr("nested deeper than 32 levels"));
  EXPECT_THAT(error_of(std::string(100000, '[')), HasSubstr("f.yaml:1:"));
  EXPECT_THAT(error_of(std::string(100000, '-') + "\n"), testing::Not(HasSubstr("nested")));
  EXPECT_THAT(error_of(std::string(2 << 20, ' ')), HasSubstr("larger than"));
}

} // namespace
} // namespace zeroth
