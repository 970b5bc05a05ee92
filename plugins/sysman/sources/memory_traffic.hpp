// What the memory controllers of processors count: bytes read and written, for each NUMA node.
#pragma once

#include "../files/root.hpp"
#include "../parts/found.hpp"

#include <map>
#include <string>
#include <vector>

namespace zeroth::sysman {

// For the nodes that have memory ("node0"). Empty where the controllers are not described, or where a processor is more
// than one node: their counts cannot be told apart then.
std::map<std::string, Reader<zes_mem_bandwidth_t>> memory_traffic(const Root& root,
                                                                  const std::vector<std::string>& nodes);

} // namespace zeroth::sysman
