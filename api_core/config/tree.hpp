// A YAML value as plain data: scalars, lists and maps in file order, each with the place it was written at.
//
// Used for the parts of a configuration that the core passes on unread (options of plugins) and as the input of the
// config reader. Plain values: copy, move and share between threads as you like.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace zeroth {

// Where a value comes from: a place in a file, or (line 0) a source without lines such as an environment variable.
struct Origin {
  std::shared_ptr<const std::string> source{};
  int line = 0;
  int column = 0;

  std::string text() const; // "/etc/zeroth/config.yaml:3:7"
};

// Types as YAML 1.2's core schema gives them to plain scalars; quoted ones are strings. Bits, so that a rule can allow
// several.
enum class Type : std::uint8_t {
  None = 0,
  Null = 1,
  Boolean = 2,
  Integer = 4,
  Number = 8, // integers are numbers, too
  String = 16,
  List = 32,
  Map = 64,
};
constexpr Type operator|(Type a, Type b) { return static_cast<Type>(static_cast<int>(a) | static_cast<int>(b)); }
constexpr bool any_of(Type a, Type b) { return (static_cast<int>(a) & static_cast<int>(b)) != 0; }

struct Tree {
  struct Member;

  Tree();
  explicit Tree(Type of_type);

  Type type;        // exactly one bit
  std::string text; // of a scalar
  std::vector<Tree> items;
  std::vector<Member> members;
  Origin origin;

  const Tree* find(std::string_view key) const noexcept; // in a map; null when absent

  // The value under a dotted path such as "devices.0.name"; null when absent.
  const Tree* at_path(std::string_view path) const noexcept;

  std::string to_json() const; // maps and lists in file order
};

struct Tree::Member {
  std::string key;
  Origin key_origin;
  Tree value;
};

// Here, where its members are complete.
inline Tree::Tree() : Tree(Type::Null) {}
inline Tree::Tree(Type of_type) : type(of_type) {}

// "boolean", "list of …" for messages.
const char* type_name(Type type) noexcept;

// The type of a plain (unquoted) scalar.
Type plain_scalar_type(std::string_view text) noexcept;

} // namespace zeroth
