// The machine's memory: one module for each NUMA node, or one for all where the kernel shows no nodes.
#include "sources.hpp"

#include "../parse/numbers.hpp"
#include "memory_traffic.hpp"

#include <array>

namespace zeroth::sysman {
namespace {

Reader<MemoryState> state(const SharedFile& file) {
  return [file] {
    std::array<char, 8192> buffer;
    const std::string_view text = file->read(buffer);
    const auto total = parse::kibibytes_of(text, "MemTotal"), free = parse::kibibytes_of(text, "MemFree");
    if (!total || !free) throw Error(ZE_RESULT_ERROR_NOT_AVAILABLE, "{} does not tell MemFree", file->path());
    return MemoryState{ZES_MEM_HEALTH_UNKNOWN, *free, *total};
  };
}

// A node without memory of its own (processors only) is no module.
bool has_memory(const Root& root, const std::string& file) {
  return parse::kibibytes_of(root.text(file).value_or(""), "MemTotal").value_or(0) > 0;
}

void add(const Root& root, const std::string& file, Found& found) {
  MemorySource memory;
  memory.location = ZES_MEM_LOC_SYSTEM;
  memory.state = state(find_file(root, file));
  found.memories.push_back(std::move(memory));
}

} // namespace

void find_host_memory(const Root& root, Found& found) {
  const std::string folder = "/sys/devices/system/node/";
  std::vector<std::string> nodes;
  for (const std::string& node : root.names(folder))
    if (node.starts_with("node") && has_memory(root, folder + node + "/meminfo")) nodes.push_back(node);
  auto traffic = memory_traffic(root, nodes);
  for (const std::string& node : nodes) {
    add(root, folder + node + "/meminfo", found);
    if (const auto counted = traffic.find(node); counted != traffic.end())
      found.memories.back().bandwidth = std::move(counted->second);
  }
  if (!found.memories.empty() || !has_memory(root, "/proc/meminfo")) return;
  add(root, "/proc/meminfo", found);
  for (auto& [all, counted] : memory_traffic(root, {"all"})) found.memories.back().bandwidth = std::move(counted);
}

} // namespace zeroth::sysman
