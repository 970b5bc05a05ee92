#include "config/yaml.hpp"

#include <algorithm>
#include <istream>
#include <optional>
#include <streambuf>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

namespace zeroth {
namespace {

std::size_t size_of(const Tree& tree) {
  std::size_t size = 1;
  for (const Tree& item : tree.items) size += size_of(item);
  for (const auto& member : tree.members) size += size_of(member.value);
  return size;
}

// Builds the tree from the parser's events. Containers under construction stand on a stack.
class TreeBuilder final : public YAML::EventHandler {
public:
  TreeBuilder(std::shared_ptr<const std::string> source, const YamlLimits& limits)
      : source_(std::move(source)), limits_(limits) {}

  Tree take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(scalar(mark, Type::Null, ""), anchor); }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    add(scalar(mark, tag == "?" ? plain_scalar_type(value) : Type::String, value), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw ConfigError(at(mark), "an alias inside of the value that it stands for");
    count(size_of(found->second) - 1, at(mark));
    add(found->second, 0);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, Type::List, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, Type::Map, anchor);
  }
  void OnMapEnd() override {
    apply_merges(stack_.back());
    close();
  }

private:
  struct Open {
    Tree tree;
    YAML::anchor_t anchor = 0;
    std::optional<Tree> key; // of a map, while its value is awaited
    std::vector<Tree> merges;
  };

  Origin at(const YAML::Mark& mark) const { return {source_, mark.line + 1, mark.column + 1}; }

  Tree scalar(const YAML::Mark& mark, Type type, const std::string& value) const {
    Tree tree;
    tree.type = type;
    tree.text = value;
    tree.origin = at(mark);
    return tree;
  }

  void count(std::size_t values, const Origin& where) {
    values_ += values;
    if (values_ > limits_.values) throw ConfigError(where, fmt::format("more than {} values", limits_.values));
  }

  void open(const YAML::Mark& mark, Type type, YAML::anchor_t anchor) {
    if (stack_.size() >= static_cast<std::size_t>(limits_.depth))
      throw ConfigError(at(mark), fmt::format("nested deeper than {} levels", limits_.depth));
    Open opened;
    opened.tree.type = type;
    opened.tree.origin = at(mark);
    opened.anchor = anchor;
    stack_.push_back(std::move(opened));
  }

  void close() {
    Open closed = std::move(stack_.back());
    stack_.pop_back();
    add(std::move(closed.tree), closed.anchor);
  }

  void add(Tree value, YAML::anchor_t anchor) {
    count(1, value.origin);
    if (anchor) anchors_[anchor] = value;
    if (stack_.empty())
      root_ = std::move(value);
    else if (stack_.back().tree.type == Type::List)
      stack_.back().tree.items.push_back(std::move(value));
    else
      add_to_map(stack_.back(), std::move(value));
  }

  static void add_to_map(Open& map, Tree value) {
    if (!map.key) {
      if (any_of(value.type, Type::List | Type::Map)) throw ConfigError(value.origin, "a key must be a plain word");
      map.key = std::move(value);
      return;
    }
    Tree key = *std::exchange(map.key, std::nullopt);
    if (key.text == "<<" && key.type == Type::String) {
      map.merges.push_back(std::move(value));
      return;
    }
    if (map.tree.find(key.text)) throw ConfigError(key.origin, fmt::format("key `{}` is given twice", key.text));
    map.tree.members.push_back({std::move(key.text), key.origin, std::move(value)});
  }

  // What a merge brings does not replace what the map says itself.
  static void apply_merges(Open& map) {
    for (Tree& merge : map.merges) {
      std::vector<Tree> sources;
      if (merge.type == Type::List)
        sources = std::move(merge.items);
      else
        sources.push_back(std::move(merge));
      for (Tree& source : sources) {
        if (source.type != Type::Map) throw ConfigError(source.origin, "`<<` takes a map or a list of maps");
        for (auto& member : source.members)
          if (!map.tree.find(member.key)) map.tree.members.push_back(std::move(member));
      }
    }
  }

  std::shared_ptr<const std::string> source_;
  const YamlLimits limits_;
  std::size_t values_ = 0;
  Tree root_;
  std::vector<Open> stack_;
  std::unordered_map<YAML::anchor_t, Tree> anchors_;
};

// Reads a string in place.
struct TextBuffer : std::streambuf {
  explicit TextBuffer(std::string_view text) {
    char* start = const_cast<char*>(text.data());
    setg(start, start, start + text.size());
  }
};

// The first line, up to the one given (from 1), whose indentation has a tab in it; 0 when there is none.
int line_with_tab(std::string_view text, int last) {
  for (int line = 1; line <= last && !text.empty(); ++line) {
    const std::string_view indentation = text.substr(0, text.find_first_not_of(" \t"));
    if (indentation.find('\t') != std::string_view::npos) return line;
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  return 0;
}

// What the parser says of brackets that are still open where the text ends.
std::string in_words(const std::string& message) {
  if (message == YAML::ErrorMsg::END_OF_MAP_FLOW) return "a `{` above is not closed";
  if (message == YAML::ErrorMsg::END_OF_SEQ_FLOW) return "a `[` above is not closed";
  return message;
}

} // namespace

Tree parse_yaml(std::string_view text, std::shared_ptr<const std::string> source, const YamlLimits& limits) {
  if (text.size() > limits.bytes) throw ConfigError({source, 1, 1}, fmt::format("larger than {} bytes", limits.bytes));
  if (const auto zero = text.find('\0'); zero != std::string_view::npos)
    throw ConfigError({source, 1 + static_cast<int>(std::count(text.begin(), text.begin() + zero, '\n')), 1},
                      "not a text file: it has a zero byte");
  try {
    TextBuffer buffer(text);
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    TreeBuilder builder(source, limits);
    if (!parser.HandleNextDocument(builder)) return {};
    TreeBuilder second(source, limits);
    if (parser.HandleNextDocument(second)) throw ConfigError({source, 1, 1}, "more than one YAML document");
    return builder.take_root();
  } catch (const YAML::Exception& error) {
    if (const int line = line_with_tab(text, error.mark.line + 2)) // the parser may notice late
      throw ConfigError({source, line, 1}, "a tab begins this line; YAML takes spaces alone");
    throw ConfigError({source, error.mark.line + 1, error.mark.column + 1}, in_words(error.msg));
  }
}

} // namespace zeroth
