// Text for a terminal of 80 columns: aligned names and values, wrapped; colour only where a person looks.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdio>
#include <string>
#include <string_view>

namespace zeroth::cli {

using Json = nlohmann::ordered_json;

enum class Tone { Plain, Strong, Good, Warning, Bad, Faint };

class Console {
public:
  static constexpr size_t Width = 80;

  // Colour when `file` is a terminal, NO_COLOR is unset and TERM is not "dumb".
  explicit Console(std::FILE* file = stdout);
  Console(std::FILE* file, bool colour) : file_(file), colour_(colour) {}

  void line(std::string_view text = {}, Tone tone = Tone::Plain) const;
  // "name   value", the value wrapped and aligned at column `indent + name_width`.
  void field(std::string_view name, std::string_view value, size_t indent, size_t name_width,
             Tone tone = Tone::Plain) const;
  // An object as fields; nested objects and lists of objects become indented sections with their name as heading.
  void tree(const Json& object, size_t indent = 0) const;

  std::string paint(std::string_view text, Tone tone) const;

private:
  void section(const std::string& name, const Json& value, size_t indent) const;

  std::FILE* file_;
  bool colour_;
};

// Breaks at blanks so that no line is longer than `width`; a longer word stands alone.
std::vector<std::string> wrap(std::string_view text, size_t width);
// One value in words: strings without quotes, lists joined by commas, booleans as yes or no.
std::string plain(const Json& value);

} // namespace zeroth::cli
