// /proc/stat: how long each processor was busy. One group for all of them, then one for each.
#include "sources.hpp"

#include "../parse/numbers.hpp"
#include "../parse/proc_stat.hpp"
#include "../parts/clock.hpp"

#include <unistd.h>

namespace zeroth::sysman {
namespace {

// For a group of `members` processors the time is that of one of them: the share of activity in elapsed time is never
// above 1.
EngineSource engine(zes_engine_group_t type, const SharedFile& file, std::string processor, std::uint64_t members) {
  const auto tick = static_cast<std::uint64_t>(1'000'000 / ::sysconf(_SC_CLK_TCK));
  return {type, [=] {
            const std::string text = file->read_long();
            const auto busy = parse::busy_ticks(text, processor);
            if (!busy) throw Error(ZE_RESULT_ERROR_DEVICE_LOST, "{} no longer lists {}", file->path(), processor);
            return zes_engine_stats_t{*busy * tick / members, microseconds()};
          }};
}

} // namespace

void find_proc_stat(const Root& root, Found& found) {
  const SharedFile file = find_file(root, "/proc/stat");
  const auto text = root.text("/proc/stat");
  if (!file || !text) return;
  std::vector<std::string> processors;
  for (std::string_view rest = *text; !rest.empty();) {
    std::string_view line = parse::next_line(rest);
    const std::string_view name = parse::next_word(line);
    if (name.starts_with("cpu") && name.size() > 3) processors.emplace_back(name);
  }
  if (processors.empty() || !parse::busy_ticks(*text, "cpu")) return;
  found.engines.push_back(engine(ZES_ENGINE_GROUP_ALL, file, "cpu", processors.size()));
  for (const std::string& processor : processors)
    found.engines.push_back(engine(ZES_ENGINE_GROUP_COMPUTE_SINGLE, file, processor, 1));
}

} // namespace zeroth::sysman
