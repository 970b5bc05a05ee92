#include "cli/console.hpp"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace zeroth::cli {
namespace {

bool wants_colour(std::FILE* file) {
  const char* terminal = std::getenv("TERM");
  const char* no_colour = std::getenv("NO_COLOR");
  return isatty(fileno(file)) && !(no_colour && *no_colour) && terminal && std::string_view(terminal) != "dumb";
}

const char* escape(Tone tone) {
  switch (tone) {
  case Tone::Strong:
    return "\033[1m";
  case Tone::Good:
    return "\033[32m";
  case Tone::Warning:
    return "\033[33m";
  case Tone::Bad:
    return "\033[31m";
  case Tone::Faint:
    return "\033[2m";
  case Tone::Plain:
    break;
  }
  return "";
}

bool is_section(const Json& value) {
  return value.is_object() || (value.is_array() && !value.empty() && value.front().is_structured());
}

} // namespace

Console::Console(std::FILE* file) : Console(file, wants_colour(file)) {}

std::string Console::paint(std::string_view text, Tone tone) const {
  if (!colour_ || tone == Tone::Plain) return std::string(text);
  return escape(tone) + std::string(text) + "\033[0m";
}

void Console::line(std::string_view text, Tone tone) const { std::fprintf(file_, "%s\n", paint(text, tone).c_str()); }

void Console::field(std::string_view name, std::string_view value, size_t indent, size_t name_width, Tone tone) const {
  const size_t column = indent + std::max(name_width, name.size() + 1);
  std::string head = std::string(indent, ' ') + std::string(name);
  head.resize(column, ' ');
  for (const std::string& part : wrap(value, column + 20 < Width ? Width - column : 20)) {
    std::fprintf(file_, "%s%s\n", head.c_str(), paint(part, tone).c_str());
    head.assign(column, ' ');
  }
}

void Console::section(const std::string& name, const Json& value, size_t indent) const {
  if (value.is_object()) {
    line(std::string(indent, ' ') + name, Tone::Strong);
    tree(value, indent + 2);
    return;
  }
  size_t number = 0;
  for (const Json& item : value) section(name + " " + std::to_string(number++), item, indent);
}

void Console::tree(const Json& object, size_t indent) const {
  size_t name_width = 0;
  for (const auto& [name, value] : object.items())
    if (!is_section(value)) name_width = std::max(name_width, name.size() + 2);
  for (const auto& [name, value] : object.items())
    if (!is_section(value)) field(name, plain(value), indent, name_width);
  for (const auto& [name, value] : object.items())
    if (is_section(value)) section(name, value, indent);
}

std::vector<std::string> wrap(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    size_t end = text.rfind(' ', width);
    if (end == std::string_view::npos || end == 0) end = text.find(' ', 1);
    if (end == std::string_view::npos) break;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  lines.emplace_back(text);
  return lines;
}

std::string plain(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_null()) return "none";
  if (!value.is_array()) return value.dump();
  std::string joined;
  for (const Json& item : value) joined += (joined.empty() ? "" : ", ") + plain(item);
  return joined.empty() ? "none" : joined;
}

} // namespace zeroth::cli
