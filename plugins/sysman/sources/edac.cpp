// /sys/devices/system/edac/mc: memory controllers with error counters, and the modules behind them. A controller that
// the kernel watches is one whose memory corrects errors.
#include "sources.hpp"

#include "../parse/memory_type.hpp"
#include "../parse/numbers.hpp"

namespace zeroth::sysman {
namespace {

const std::string Folder = "/sys/devices/system/edac/mc/";

// Errors that cannot be corrected have destroyed data; corrected ones are what the codes are for.
zes_mem_health_t health_of(std::int64_t uncorrected) {
  return uncorrected > 0 ? ZES_MEM_HEALTH_CRITICAL : ZES_MEM_HEALTH_OK;
}

void add_module(const Root& root, const std::string& folder, Found& found) {
  const auto megabytes = root.number(folder + "/size");
  if (!megabytes || *megabytes <= 0 || *megabytes > (INT64_MAX >> 20)) return; // an empty slot
  MemorySource module;
  module.location = ZES_MEM_LOC_SYSTEM;
  module.physical_size = static_cast<std::uint64_t>(*megabytes) << 20;
  module.label = root.text(folder + "/dimm_label").value_or("");
  module.type = parse::memory_type(root.text(folder + "/dimm_mem_type").value_or(""));
  if (const SharedFile errors = find_file(root, folder + "/dimm_ue_count"))
    module.health = [errors] { return health_of(errors->integer()); };
  found.memories.push_back(std::move(module));
}

// The kernel clears all counters of a controller at once.
void add_counter(const Root& root, const std::string& controller, std::string_view name, RasSource& set) {
  const SharedFile count = find_file(root, controller + std::string(name));
  const SharedFile reset = find_file(root, controller + "/reset_counters");
  if (!count) return;
  RasCounter counter{ZES_RAS_ERROR_CATEGORY_EXP_MEMORY_ERRORS, multiplied<std::uint64_t>(count, 1)};
  if (reset) counter.clear = [reset] { reset->write(1); };
  set.counters.push_back(std::move(counter));
}

// Where no node has a state of its own modules, theirs is what the controllers say.
void add_node_health(const Root& root, const std::vector<std::string>& controllers, Found& found) {
  std::vector<SharedFile> counts;
  for (const std::string& controller : controllers)
    if (SharedFile file = find_file(root, Folder + controller + "/ue_count")) counts.push_back(std::move(file));
  if (counts.empty()) return;
  const Reader<zes_mem_health_t> health = [counts] {
    std::int64_t total = 0;
    for (const SharedFile& count : counts) total += count->integer();
    return health_of(total);
  };
  for (MemorySource& memory : found.memories) {
    memory.health = health;
    memory.state = [state = memory.state, health] {
      MemoryState now = state();
      now.health = health();
      return now;
    };
  }
}

} // namespace

void find_edac(const Root& root, Found& found) {
  std::vector<std::string> controllers;
  for (const std::string& name : root.names(Folder))
    if (name.starts_with("mc") && parse::trailing_number(name)) controllers.push_back(name);
  if (controllers.empty()) return;
  add_node_health(root, controllers, found);
  RasSource corrected, uncorrected;
  corrected.type = ZES_RAS_ERROR_TYPE_CORRECTABLE;
  uncorrected.type = ZES_RAS_ERROR_TYPE_UNCORRECTABLE;
  for (const std::string& controller : controllers) {
    add_counter(root, Folder + controller, "/ce_count", corrected);
    add_counter(root, Folder + controller, "/ue_count", uncorrected);
    for (const std::string& module : root.names(Folder + controller))
      if (module.starts_with("dimm") || module.starts_with("rank"))
        add_module(root, Folder + controller + "/" + module, found);
  }
  if (!corrected.counters.empty()) found.ras.push_back(std::move(corrected));
  if (!uncorrected.counters.empty()) found.ras.push_back(std::move(uncorrected));
  found.ecc = [] { return true; };
}

} // namespace zeroth::sysman
