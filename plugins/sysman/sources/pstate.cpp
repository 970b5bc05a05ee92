// intel_pstate and amd_pstate let one say how much of its performance the processor may use, in percent: that is what
// a performance factor means.
#include "sources.hpp"

namespace zeroth::sysman {

void find_pstate(const Root& root, Found& found) {
  const SharedFile most = find_file(root, "/sys/devices/system/cpu/intel_pstate/max_perf_pct");
  if (!most) return;
  PerformanceSource domain;
  domain.engines = ZES_ENGINE_TYPE_FLAG_COMPUTE;
  domain.factor = scaled(most, 1.0);
  domain.set_factor = [most](double factor) { most->write(static_cast<std::int64_t>(factor + 0.5)); };
  found.performance.push_back(std::move(domain));
}

} // namespace zeroth::sysman
