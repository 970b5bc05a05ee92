// Which logical processors a device, or a part of it, may use.
// Threads: any; plain values.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace zeroth::cpu {

using CoreSet = std::vector<unsigned>; // ascending

constexpr unsigned MostParts = 64; // of a device

CoreSet usable_cores(); // of this process; never empty

// "0-3,8" → 0 1 2 3 8. What cannot be read ends the list.
CoreSet parse_cores(std::string_view text);
// Is all of it such a list, with at least one number?
bool is_core_list(std::string_view text);

// The parts of a device: "" or "0" none; "4" four equal ones (sharing processors where there are fewer); "numa" one for
// each node; "0-3;4-7" one for each set. Processors that are not in `all` are left out, and empty parts with them.
std::vector<CoreSet> split_cores(const CoreSet& all, std::string_view how);
bool is_split(std::string_view how); // one of these

// The memory node that all these belong to; -1 where there is one node only, or they belong to several. `nodes`: where
// the system describes them.
int node_of(const CoreSet& cores, const std::string& nodes = "/sys/devices/system/node");

// Restricts the calling thread. False if the system refuses.
bool run_on(const CoreSet& cores);

} // namespace zeroth::cpu
