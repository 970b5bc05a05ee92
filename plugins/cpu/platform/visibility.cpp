#include "visibility.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <numeric>
#include <string>
#include <strings.h>

namespace zeroth::cpu {

namespace {

bool is(std::string_view text, const char* name) { return strcasecmp(std::string(text).c_str(), name) == 0; }

Hierarchy hierarchy_of(std::string_view text) {
  if (is(text, "FLAT")) return Hierarchy::Flat;
  return is(text, "COMBINED") ? Hierarchy::Combined : Hierarchy::Composite;
}

bool is_number(std::string_view text, unsigned& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

void show(Visibility& seen, std::string_view item, unsigned parts) {
  const std::size_t dot = item.find('.');
  unsigned device = 0, part = 0;
  if (!is_number(item.substr(0, dot), device)) return;
  if (dot != std::string_view::npos) {
    if (device != 0 || !is_number(item.substr(dot + 1), part) || part >= parts) return;
    seen.device = true;
    seen.parts.push_back(part);
  } else if (seen.hierarchy != Hierarchy::Composite && parts) {
    if (device < parts) seen.parts.push_back(device);
    seen.device |= device < parts;
  } else if (device == 0) {
    seen.device = true;
    for (unsigned i = 0; i < parts; ++i) seen.parts.push_back(i);
  }
}

} // namespace

bool is_hierarchy(std::string_view text) { return is(text, "COMPOSITE") || is(text, "FLAT") || is(text, "COMBINED"); }

Visibility visible_devices(std::string_view mask, std::string_view hierarchy, unsigned parts) {
  Visibility seen;
  seen.hierarchy = hierarchy_of(hierarchy);
  if (mask.empty()) {
    seen.parts.resize(parts);
    std::iota(seen.parts.begin(), seen.parts.end(), 0u);
    return seen;
  }
  seen.device = false;
  while (!mask.empty()) {
    const std::size_t end = std::min(mask.find(','), mask.size());
    show(seen, mask.substr(0, end), parts);
    mask.remove_prefix(std::min(end + 1, mask.size()));
  }
  std::sort(seen.parts.begin(), seen.parts.end());
  seen.parts.erase(std::unique(seen.parts.begin(), seen.parts.end()), seen.parts.end());
  return seen;
}

Visibility common(const Visibility& one, const Visibility& other, unsigned parts) {
  Visibility both;
  both.hierarchy = one.hierarchy;
  std::set_intersection(one.parts.begin(), one.parts.end(), other.parts.begin(), other.parts.end(),
                        std::back_inserter(both.parts));
  both.device = one.device && other.device && (parts == 0 || !both.parts.empty());
  return both;
}

} // namespace zeroth::cpu
