#include "config/literal.hpp"

#include <span>

namespace zeroth {

#include "config/default_tree.inc"

Tree tree_of(const Literal& literal, const std::shared_ptr<const std::string>& source) {
  Tree tree;
  tree.type = literal.type;
  tree.text = literal.text;
  tree.origin = {source, literal.line, literal.column};
  for (const Literal& child : std::span(literal.children, literal.child_count)) {
    if (tree.type == Type::List)
      tree.items.push_back(tree_of(child, source));
    else
      tree.members.push_back({child.key, {source, child.key_line, child.key_column}, tree_of(child, source)});
  }
  return tree;
}

} // namespace zeroth
