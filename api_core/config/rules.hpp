// The format of a configuration as tables, generated from config/zeroth.schema.json, and the check against them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "config/tree.hpp"

namespace zeroth {

struct MapRule;

// One key of a map: what its value, and the items of its list, may be.
struct KeyRule {
  std::string_view name;
  Type types;
  std::span<const std::string_view> values; // the only strings allowed; empty: any
  const MapRule* map;                       // of a map value; null: any keys
  Type item_types;                          // of a list's items
  const MapRule* item_map;
  std::size_t min_length;
  std::string_view format; // "device-mask", "driver-version" or empty
};

struct MapRule {
  std::string_view name;
  std::span<const KeyRule> keys;
};

// Calls `problem` for everything in `tree` that breaks `rule`, in file order.
using Problems = std::function<void(const Origin& where, std::string message)>;
void check_map(const Tree& tree, const MapRule& rule, const Problems& problem);

const MapRule& config_rules();
std::string_view embedded_default_text();
std::string_view embedded_schema_text();

// "1.14.36035" as the drivers in the field pack it (8, 8 and 16 bits), or a plain number. False when it is neither.
bool parse_driver_version(std::string_view text, std::uint32_t& version);

// "0,1.0,2" as in ZE_AFFINITY_MASK; the empty text is a mask, too.
bool is_device_mask(std::string_view text);

} // namespace zeroth
