// YAML text → Tree, bounded: any bytes end in a tree or in a `ConfigError` with line and column, in time and memory
// linear in the text's size (aliases that expand to too much are refused).
#pragma once

#include <stdexcept>
#include <string_view>

#include "config/tree.hpp"

namespace zeroth {

// What is wrong in a configuration, and where.
class ConfigError : public std::runtime_error {
public:
  ConfigError(const Origin& origin, const std::string& message)
      : std::runtime_error(origin.text() + ": " + message), where(origin) {}
  explicit ConfigError(const std::string& problems) : std::runtime_error(problems) {} // each with its place
  Origin where;
};

struct YamlLimits {
  std::size_t bytes = 1 << 20;
  std::size_t values = 5000; // after aliases were expanded
  int depth = 32;
};

// The one document of `text`; an empty one is a null. Anchors, aliases and merge keys (<<) work, a key given twice is
// an error. `source` names the text in origins.
Tree parse_yaml(std::string_view text, std::shared_ptr<const std::string> source, const YamlLimits& limits = {});

} // namespace zeroth
