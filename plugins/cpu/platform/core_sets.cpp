#include "core_sets.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sched.h>
#include <string>
#include <thread>

namespace zeroth::cpu {

namespace {

constexpr unsigned MostProcessors = CPU_SETSIZE;

bool read_number(std::string_view& text, unsigned& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

CoreSet common(const CoreSet& a, const CoreSet& b) {
  CoreSet both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

std::vector<CoreSet> equal_parts(const CoreSet& all, unsigned count) {
  std::vector<CoreSet> parts;
  for (unsigned i = 0; i < count; ++i) {
    const std::size_t begin = all.size() * i / count, end = all.size() * (i + 1) / count;
    if (begin == end) {
      parts.push_back({all[i % all.size()]});
    } else {
      parts.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(begin),
                         all.begin() + static_cast<std::ptrdiff_t>(end));
    }
  }
  return parts;
}

// By number; nodes of memory alone have no processors.
std::vector<CoreSet> processors_of_nodes(const std::string& nodes) {
  std::vector<CoreSet> found;
  for (;;) {
    std::ifstream file(nodes + "/node" + std::to_string(found.size()) + "/cpulist");
    if (!file) return found;
    std::string list;
    std::getline(file, list);
    found.push_back(parse_cores(list));
  }
}

std::vector<CoreSet> numa_parts(const CoreSet& all) {
  std::vector<CoreSet> parts;
  for (const CoreSet& node : processors_of_nodes("/sys/devices/system/node"))
    if (CoreSet part = common(all, node); !part.empty()) parts.push_back(std::move(part));
  return parts;
}

} // namespace

CoreSet usable_cores() {
  cpu_set_t set;
  CoreSet cores;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (unsigned core = 0; core < MostProcessors; ++core)
      if (CPU_ISSET(core, &set)) cores.push_back(core);
  if (cores.empty())
    for (unsigned core = 0; core < std::max(1u, std::thread::hardware_concurrency()); ++core) cores.push_back(core);
  return cores;
}

bool is_core_list(std::string_view text) {
  for (;; text.remove_prefix(1)) {
    unsigned first = 0;
    if (!read_number(text, first)) return false;
    unsigned last = first;
    if (!text.empty() && text.front() == '-') {
      text.remove_prefix(1);
      if (!read_number(text, last)) return false;
    }
    if (last < first || last >= MostProcessors) return false;
    if (text.empty()) return true;
    if (text.front() != ',') return false;
  }
}

CoreSet parse_cores(std::string_view text) {
  CoreSet cores;
  for (unsigned first = 0, last = 0; read_number(text, first); text.remove_prefix(1)) {
    last = first;
    if (!text.empty() && text.front() == '-') {
      text.remove_prefix(1);
      if (!read_number(text, last)) break;
    }
    for (unsigned core = first; core <= std::min(last, MostProcessors - 1); ++core) cores.push_back(core);
    if (text.empty() || text.front() != ',') break;
  }
  std::sort(cores.begin(), cores.end());
  cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
  return cores;
}

std::vector<CoreSet> split_cores(const CoreSet& all, std::string_view how) {
  if (how == "numa") return numa_parts(all);
  unsigned count = 0;
  std::string_view rest = how;
  if (read_number(rest, count) && rest.empty()) return equal_parts(all, std::min(count, MostParts));
  std::vector<CoreSet> parts;
  while (!how.empty() && parts.size() < MostParts) {
    const std::size_t end = std::min(how.find(';'), how.size());
    if (CoreSet part = common(all, parse_cores(how.substr(0, end))); !part.empty()) parts.push_back(std::move(part));
    how.remove_prefix(std::min(end + 1, how.size()));
  }
  return parts;
}

bool is_split(std::string_view how) {
  if (how.empty() || how == "numa") return true;
  unsigned count = 0;
  std::string_view rest = how;
  if (read_number(rest, count) && rest.empty()) return count <= MostParts;
  for (;;) {
    const std::size_t end = std::min(how.find(';'), how.size());
    if (!is_core_list(how.substr(0, end))) return false;
    if (end == how.size()) return true;
    how.remove_prefix(end + 1);
  }
}

int node_of(const CoreSet& cores, const std::string& nodes) {
  const auto all = processors_of_nodes(nodes);
  if (all.size() < 2) return -1;
  for (std::size_t node = 0; node < all.size(); ++node)
    if (common(cores, all[node]) == cores) return static_cast<int>(node);
  return -1;
}

bool run_on(const CoreSet& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (unsigned core : cores) CPU_SET(core, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

} // namespace zeroth::cpu
