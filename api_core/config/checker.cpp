// Test helper: reads a configuration on standard input, prints its problems, exits with 1 when there are any.
#include <iostream>
#include <iterator>

#include "config/load.hpp"

int main() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  const auto problems = zeroth::check_config(text, "input");
  for (const std::string& problem : problems) std::cout << problem << '\n';
  return problems.empty() ? 0 : 1;
}
