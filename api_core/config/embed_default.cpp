// Build tool: reads a YAML file and writes it as constant data (literal.hpp) on its standard output.
#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "config/yaml.hpp"

namespace zeroth {
namespace {

int arrays = 0;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    if (c < 0x20 || c > 0x7e || c == '"' || c == '\\' || c == '?')
      out += fmt::format("\\{:03o}", c);
    else
      out += static_cast<char>(c);
  }
  return out + '"';
}

std::string literal(const std::string& key, const Origin& key_origin, const Tree& tree);

// Writes the children as an array of their own and gives its name and length.
std::string children(const Tree& tree) {
  std::string rows;
  for (const Tree& item : tree.items) rows += "  " + literal("", {}, item) + ",\n";
  for (const auto& [key, origin, value] : tree.members) rows += "  " + literal(key, origin, value) + ",\n";
  if (rows.empty()) return "nullptr, 0";
  const std::string name = fmt::format("values_{}", arrays++);
  std::cout << "static constexpr Literal " << name << "[] = {\n" << rows << "};\n";
  return fmt::format("{}, {}", name, tree.items.size() + tree.members.size());
}

std::string literal(const std::string& key, const Origin& key_origin, const Tree& tree) {
  const std::string below = children(tree);
  return fmt::format("{{{}, {}, {}, static_cast<Type>({}), {}, {}, {}, {}}}", quoted(key), key_origin.line,
                     key_origin.column, static_cast<int>(tree.type), quoted(tree.text), tree.origin.line,
                     tree.origin.column, below);
}

} // namespace
} // namespace zeroth

int main(int count, char** arguments) {
  if (count != 2) return std::cerr << "usage: embed_default FILE\n", 2;
  std::ifstream file(arguments[1]);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  try {
    const auto source = std::make_shared<const std::string>(arguments[1]);
    const std::string root = zeroth::literal("", {}, zeroth::parse_yaml(text, source));
    std::cout << "constexpr Literal embedded_default_tree = " << root << ";\n";
  } catch (const std::exception& error) {
    return std::cerr << error.what() << '\n', 1;
  }
}
