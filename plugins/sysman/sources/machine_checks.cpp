// /proc/interrupts: how often the processor raised a machine-check exception, which is an error it could not correct.
#include "sources.hpp"

#include "../parse/interrupts.hpp"

#include <algorithm>
#include <atomic>

namespace zeroth::sysman {

// The kernel counts since it started; a program that clears the counter sees what came since then.
void find_machine_checks(const Root& root, Found& found) {
  const SharedFile file = find_file(root, "/proc/interrupts");
  if (!file || !parse::interrupts(root.text("/proc/interrupts").value_or(""), "MCE")) return;
  const auto total = [file] {
    const auto count = parse::interrupts(file->read_long(), "MCE");
    if (!count) throw Error(ZE_RESULT_ERROR_DEVICE_LOST, "{} lost its line MCE", file->path());
    return *count;
  };
  const auto cleared = std::make_shared<std::atomic<std::uint64_t>>(0);
  const RasCounter checks{ZES_RAS_ERROR_CATEGORY_EXP_SOC_INTERNAL_ERRORS,
                          [total, cleared] {
                            const std::uint64_t now = total();
                            return now - std::min(now, cleared->load());
                          },
                          [total, cleared] { cleared->store(total()); }};
  for (RasSource& set : found.ras)
    if (set.type == ZES_RAS_ERROR_TYPE_UNCORRECTABLE) return set.counters.push_back(checks);
  RasSource set;
  set.type = ZES_RAS_ERROR_TYPE_UNCORRECTABLE;
  set.counters.push_back(checks);
  found.ras.push_back(std::move(set));
}

} // namespace zeroth::sysman
