// The embedded default as constant data: parsed when Zeroth is built, so that a process without a configuration file
// parses nothing.
#pragma once

#include "config/tree.hpp"

namespace zeroth {

// One value of a YAML file and, in a map, its key.
struct Literal {
  const char* key;
  int key_line, key_column;
  Type type;
  const char* text;
  int line, column;
  const Literal* children; // items of a list, members of a map
  unsigned child_count;
};

Tree tree_of(const Literal& literal, const std::shared_ptr<const std::string>& source);

// What config/default.yaml holds.
extern const Literal embedded_default_tree;

} // namespace zeroth
