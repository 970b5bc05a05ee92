#include "library_names.hpp"

#include <algorithm>
#include <iterator>

namespace zeroth::spirv {
namespace {

constexpr std::string_view plain_names[] = {
    "atomic_work_item_fence",
    "barrier",
    "get_enqueued_local_size",
    "get_enqueued_num_sub_groups",
    "get_fence",
    "get_global_id",
    "get_global_linear_id",
    "get_global_offset",
    "get_global_size",
    "get_group_id",
    "get_image_channel_order",
    "get_local_id",
    "get_local_linear_id",
    "get_local_size",
    "get_max_sub_group_size",
    "get_num_groups",
    "get_num_sub_groups",
    "get_sub_group_id",
    "get_sub_group_local_id",
    "get_sub_group_size",
    "get_work_dim",
    "mem_fence",
    "read_mem_fence",
    "sub_group_barrier",
    "to_global",
    "to_local",
    "to_private",
    "work_group_barrier",
    "write_mem_fence",
};
static_assert(std::ranges::is_sorted(plain_names));

constexpr std::string_view atomic_operations[] = {"add", "and", "cmpxchg", "dec",  "inc", "max",
                                                  "min", "or",  "sub",     "xchg", "xor"};

// atomic_fetch_add and the like, with or without _explicit.
bool is_fetch(std::string_view name) {
  if (!name.starts_with("atomic_fetch_")) return false;
  name.remove_prefix(13);
  if (name.ends_with("_explicit")) name.remove_suffix(9);
  return name == "add" || name == "sub" || name == "and" || name == "or" || name == "xor" || name == "min" ||
         name == "max";
}

bool is_atomic(std::string_view name) {
  if (is_fetch(name)) return true;
  for (std::string_view prefix : {"atomic_", "atom_"})
    if (name.starts_with(prefix) && std::ranges::binary_search(atomic_operations, name.substr(prefix.size())))
      return true;
  return false;
}

bool is_collective(std::string_view name) {
  for (std::string_view group : {"sub_group_", "work_group_"}) {
    if (!name.starts_with(group)) continue;
    const std::string_view rest = name.substr(group.size());
    if (rest == "all" || rest == "any" || rest == "broadcast") return true;
    if (group == "sub_group_" && (rest == "shuffle" || rest == "shuffle_xor")) return true;
    for (std::string_view form : {"reduce_", "scan_inclusive_", "scan_exclusive_"})
      if (rest.starts_with(form)) {
        const std::string_view operation = rest.substr(form.size());
        return operation == "add" || operation == "min" || operation == "max";
      }
  }
  return name == "intel_sub_group_shuffle" || name == "intel_sub_group_shuffle_xor" ||
         name == "intel_sub_group_shuffle_up" || name == "intel_sub_group_shuffle_down";
}

} // namespace

std::optional<MangledName> demangle(std::string_view mangled) {
  if (mangled == "__to_global" || mangled == "__to_local" || mangled == "__to_private")
    return MangledName{mangled.substr(2), ""};
  if (!mangled.starts_with("_Z")) return {};
  size_t at = 2, length = 0;
  while (at < mangled.size() && mangled[at] >= '0' && mangled[at] <= '9' && length < 1000)
    length = length * 10 + size_t(mangled[at++] - '0');
  if (length == 0 || length > mangled.size() - at) return {};
  return MangledName{mangled.substr(at, length), mangled.substr(at + length)};
}

LibraryKind value_kind(std::string_view p) {
  if (p.starts_with("P")) {
    p.remove_prefix(1);
    // Address space ("U3AS1"), "U7_Atomic" and qualifiers stand between the pointer and what it points to.
    while (!p.empty()) {
      if (p[0] == 'V' || p[0] == 'K' || p[0] == 'r')
        p.remove_prefix(1);
      else if (p[0] == 'U' && p.size() > 1 && p[1] >= '1' && p[1] <= '9')
        p.remove_prefix(std::min<size_t>(2 + size_t(p[1] - '0'), p.size()));
      else
        break;
    }
  }
  if (p.starts_with("Dv")) p.remove_prefix(std::min(p.size(), p.find('_') == p.npos ? p.size() : p.find('_') + 1));
  if (p.starts_with("Dh") || p.starts_with("f") || p.starts_with("d")) return LibraryKind::Float;
  constexpr std::string_view signed_codes = "acislx";
  return !p.empty() && signed_codes.find(p[0]) != signed_codes.npos ? LibraryKind::Signed : LibraryKind::Unsigned;
}

std::optional<ConversionName> conversion(std::string_view name) {
  if (!name.starts_with("convert_")) return {};
  name.remove_prefix(8);
  ConversionName result;
  constexpr std::string_view modes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
  for (int mode = 0; mode < 4; ++mode)
    if (name.ends_with(modes[mode])) {
      result.rounding = mode;
      name.remove_suffix(4);
      break;
    }
  result.saturates = name.ends_with("_sat");
  if (result.saturates) name.remove_suffix(4);
  while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.remove_suffix(1);
  if (name == "half" || name == "float" || name == "double")
    result.to = LibraryKind::Float;
  else if (name == "char" || name == "short" || name == "int" || name == "long")
    result.to = LibraryKind::Signed;
  else if (name != "uchar" && name != "ushort" && name != "uint" && name != "ulong")
    return {};
  return result;
}

bool is_library_name(std::string_view name) {
  return std::ranges::binary_search(plain_names, name) || is_atomic(name) || is_collective(name) ||
         conversion(name).has_value();
}

} // namespace zeroth::spirv
