// /proc/interrupts: how often the processor raised a machine-check exception, which is an error it could not correct.
#include "sources.hpp"

#include "../parse/interrupts.hpp"

namespace zeroth::sysman {

void find_machine_checks(const Root& root, Found& found) {
  const SharedFile file = find_file(root, "/proc/interrupts");
  if (!file || !parse::interrupts(root.text("/proc/interrupts").value_or(""), "MCE")) return;
  const RasCounter checks{ZES_RAS_ERROR_CATEGORY_EXP_SOC_INTERNAL_ERRORS, [file] {
                            const auto count = parse::interrupts(file->read_long(), "MCE");
                            if (!count) throw Error(ZE_RESULT_ERROR_DEVICE_LOST, "{} lost its line MCE", file->path());
                            return *count;
                          }};
  for (RasSource& set : found.ras) {
    if (set.type != ZES_RAS_ERROR_TYPE_UNCORRECTABLE) continue;
    set.counters.push_back(checks);
    set.clear = {}; // the kernel has no way to clear this one
    return;
  }
  RasSource set;
  set.type = ZES_RAS_ERROR_TYPE_UNCORRECTABLE;
  set.counters.push_back(checks);
  found.ras.push_back(std::move(set));
}

} // namespace zeroth::sysman
