// Random damage to the shipped examples: the reader must end in a configuration or in problems, never in a crash or
// hang.
#include "config/load.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include <gtest/gtest.h>

#include "config/rules.hpp"

namespace zeroth {
namespace {

std::vector<std::string> corpus() {
  std::vector<std::string> texts{std::string(embedded_default_text())};
  for (const auto& entry : std::filesystem::directory_iterator(ZEROTH_CONFIG_EXAMPLES)) {
    std::ifstream file(entry.path());
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

class Mutator {
public:
  explicit Mutator(std::vector<std::string> texts) : texts_(std::move(texts)) {}

  std::string next() {
    std::string text = texts_[below(texts_.size())];
    for (std::size_t i = 0, n = 1 + below(8); i < n; ++i) mutate(text);
    return text;
  }

private:
  std::size_t below(std::size_t bound) { return bound ? random_() % bound : 0; }

  void mutate(std::string& text) {
    static constexpr std::string_view syntax = "&*<<:[]{}-?!|>'\"#%@`,\n\t ~0\\\xff";
    const std::size_t at = below(text.size() + 1);
    switch (below(6)) {
    case 0:
      text.insert(at, 1, syntax[below(syntax.size())]);
      break;
    case 1:
      text.insert(at, 1, static_cast<char>(random_()));
      break;
    case 2:
      text.erase(at, 1 + below(20));
      break;
    case 3:
      text.resize(at);
      break;
    case 4:
      text.insert(at, text.substr(below(text.size() + 1), below(60)));
      break;
    case 5:
      text.insert(at, std::string(below(200), syntax[below(syntax.size())]));
      break;
    }
  }

  std::vector<std::string> texts_;
  std::mt19937 random_{20261130};
};

TEST(ConfigFuzz, mutants_of_the_examples_end_in_a_config_or_in_problems) {
  Mutator mutator(corpus());
  int right = 0, wrong = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::string text = mutator.next();
    const auto problems = check_config(text, "mutant.yaml");
    ++(problems.empty() ? right : wrong);
    for (const std::string& problem : problems) EXPECT_TRUE(problem.starts_with("mutant.yaml:")) << problem;
    if (problems.empty()) {
      EXPECT_FALSE(explain(read_config(text, "mutant.yaml", {"blender"})).empty());
    }
  }
  // Both ways were walked, or the mutator does nothing worth the time.
  EXPECT_GT(right, 100);
  EXPECT_GT(wrong, 1000);
}

} // namespace
} // namespace zeroth
