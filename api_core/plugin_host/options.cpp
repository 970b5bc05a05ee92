#include "plugin_host/options.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "config/nearest.hpp"

namespace zeroth {
namespace {

// "64", "16 KiB", "2 GiB".
bool is_size(const Tree& value) {
  if (value.type == Type::Integer) return value.text[0] != '-';
  const auto digits = value.text.find_first_not_of("0123456789");
  if (value.type != Type::String || digits == 0 || digits == std::string::npos) return false;
  const std::string unit = value.text.substr(std::min(value.text.find_first_not_of(' ', digits), value.text.size()));
  return unit == "B" || unit == "KiB" || unit == "MiB" || unit == "GiB" || unit == "TiB";
}

bool has_type(const Tree& value, std::string_view type) {
  if (type == "boolean") return value.type == Type::Boolean;
  if (type == "integer") return value.type == Type::Integer;
  if (type == "number") return any_of(value.type, Type::Integer | Type::Number);
  if (type == "string") return !any_of(value.type, Type::List | Type::Map | Type::Null);
  if (type == "size") return is_size(value);
  if (type == "list") return value.type == Type::List;
  return type != "map" || value.type == Type::Map;
}

using Known = std::span<const zeroth_option>;

void check_option(const Tree::Member& member, Known known, std::vector<std::string>& problems) {
  const auto& [key, origin, value] = member;
  std::vector<std::string_view> names;
  for (const zeroth_option& option : known) names.push_back(option.name);
  const auto found = std::find(names.begin(), names.end(), key);
  if (found == names.end())
    problems.push_back(fmt::format("{}: unknown option `{}`{}", origin.text(), key, suggestion(key, names)));
  else if (const char* type = known[static_cast<std::size_t>(found - names.begin())].type; !has_type(value, type))
    problems.push_back(fmt::format("{}: option `{}` must be of type {}", value.origin.text(), key, type));
}

} // namespace

std::vector<PluginOption> options_of(const zeroth_plugin& plugin) {
  const auto text = [](const char* t) { return std::string(t ? t : ""); };
  std::vector<PluginOption> list;
  for (const zeroth_option& o : std::span(plugin.options, plugin.options ? plugin.option_count : 0))
    list.push_back({text(o.name), text(o.type), text(o.default_text), text(o.help)});
  return list;
}

std::vector<std::string> check_options(const Tree& options, const zeroth_plugin& plugin) {
  if (!plugin.options) return {};
  const Known known(plugin.options, plugin.option_count);
  std::vector<std::string> problems;
  for (const auto& member : options.members) {
    if (member.key == "device_mask") continue; // a key of the configuration itself, passed on
    if (member.key != "devices")
      check_option(member, known, problems);
    else
      for (const auto& device : member.value.members)
        for (const auto& own : device.value.members) check_option(own, known, problems);
  }
  return problems;
}

} // namespace zeroth
