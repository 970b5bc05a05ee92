#include "cli/console.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace zeroth::cli {
namespace {

// What a console writes to a file that is no terminal.
std::string printed(const std::function<void(const Console&)>& print, bool colour = false) {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* file = open_memstream(&text, &size);
  print(Console(file, colour));
  std::fclose(file);
  const std::unique_ptr<char, decltype(&std::free)> owner(text, std::free);
  return {text, size};
}

TEST(Console, ValuesOfOneObjectStandInOneColumn) {
  const Json object = {{"name", "a device"}, {"largest group", 1024}, {"part", {{"sizes", {1, 2}}}}};
  EXPECT_EQ(printed([&](const Console& c) { c.tree(object, 2); }), "  name           a device\n"
                                                                   "  largest group  1024\n"
                                                                   "  part\n"
                                                                   "    sizes  1, 2\n");
}

TEST(Console, ListsOfObjectsAreNumberedSections) {
  const Json object = {{"memory", {{{"size", 1}}, {{"size", 2}}}}};
  EXPECT_EQ(printed([&](const Console& c) { c.tree(object); }), "memory 0\n  size  1\nmemory 1\n  size  2\n");
}

TEST(Console, NoLineIsLongerThan80Columns) {
  std::string words;
  for (int i = 0; i < 100; ++i) words += "word ";
  const std::string text = printed([&](const Console& c) { c.field("name", words, 4, 20); });
  for (size_t start = 0, end; (end = text.find('\n', start)) != std::string::npos; start = end + 1)
    EXPECT_LE(end - start, Console::Width);
}

TEST(Console, ColourAppearsOnlyWhereAskedFor) {
  const auto print = [](const Console& c) { c.line("text", Tone::Bad); };
  EXPECT_EQ(printed(print, false), "text\n");
  EXPECT_EQ(printed(print, true), "\033[31mtext\033[0m\n");
}

TEST(Console, EmptyAndMissingValuesAreSaidInWords) {
  EXPECT_EQ(plain(Json::array()), "none");
  EXPECT_EQ(plain(nullptr), "none");
  EXPECT_EQ(plain(true), "yes");
}

} // namespace
} // namespace zeroth::cli
