// Intel GPUs: the files of i915 (card*/gt/gt0/rps_…) and of xe (tile*/gt*/freq0/…), and xe's engine schedulers.
#include "gpu.hpp"

#include "../parse/numbers.hpp"

#include <algorithm>
#include <array>

namespace zeroth::sysman {
namespace {

struct ClockFiles {
  std::string folder;
  std::string_view actual, requested, low, high, lowest, highest, efficient;
};

constexpr std::array<std::pair<std::string_view, zes_freq_throttle_reason_flags_t>, 6> Reasons = {
    {{"pl1", ZES_FREQ_THROTTLE_REASON_FLAG_AVE_PWR_CAP},
     {"pl2", ZES_FREQ_THROTTLE_REASON_FLAG_BURST_PWR_CAP},
     {"pl4", ZES_FREQ_THROTTLE_REASON_FLAG_CURRENT_LIMIT},
     {"thermal", ZES_FREQ_THROTTLE_REASON_FLAG_THERMAL_LIMIT},
     {"prochot", ZES_FREQ_THROTTLE_REASON_FLAG_THERMAL_LIMIT},
     {"vr_tdc", ZES_FREQ_THROTTLE_REASON_FLAG_CURRENT_LIMIT}}};

Reader<zes_freq_throttle_reason_flags_t> reasons(const Root& root, const std::string& start) {
  std::vector<std::pair<SharedFile, zes_freq_throttle_reason_flags_t>> files;
  for (const auto& [name, flag] : Reasons)
    if (SharedFile file = find_file(root, start + std::string(name))) files.emplace_back(std::move(file), flag);
  if (files.empty()) return {};
  return [files] {
    zes_freq_throttle_reason_flags_t flags = 0;
    for (const auto& [file, flag] : files)
      if (file->integer() != 0) flags |= flag;
    return flags;
  };
}

std::optional<double> megahertz(const Root& root, const std::string& file) {
  const auto value = root.number(file);
  return value && *value > 0 ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

void add_clock(const Root& root, const ClockFiles& files, const std::string& reason_start, Found& found) {
  const auto open = [&](std::string_view name) { return find_file(root, files.folder + "/" + std::string(name)); };
  FrequencySource clock;
  clock.actual = scaled(open(files.actual), 1.0);
  if (!clock.actual) return;
  clock.requested = scaled(open(files.requested), 1.0);
  clock.efficient = scaled(open(files.efficient), 1.0);
  clock.lowest = megahertz(root, files.folder + "/" + std::string(files.lowest));
  clock.highest = megahertz(root, files.folder + "/" + std::string(files.highest));
  if (const SharedFile low = open(files.low), high = open(files.high); low && high) {
    clock.range = [low, high] {
      return zes_freq_range_t{static_cast<double>(low->integer()), static_cast<double>(high->integer())};
    };
    clock.set_range = [low, high](zes_freq_range_t range) {
      const auto least = static_cast<std::int64_t>(range.min + 0.5), most = static_cast<std::int64_t>(range.max + 0.5);
      const bool up = least > high->integer();
      if (up) high->write(most);
      low->write(least);
      if (!up) high->write(most);
    };
  }
  clock.throttle_reasons = reasons(root, reason_start);
  found.frequencies.push_back(std::move(clock));
}

void add_i915(const Gpu& gpu, Found& found) {
  for (const std::string& card : gpu.root.names(gpu.file("drm"))) {
    if (!card.starts_with("card")) continue;
    const std::string gts = gpu.file("drm/" + card + "/gt");
    for (const std::string& gt : gpu.root.names(gts)) {
      const std::string folder = gts + "/" + gt;
      add_clock(gpu.root,
                {folder, "rps_act_freq_mhz", "rps_cur_freq_mhz", "rps_min_freq_mhz", "rps_max_freq_mhz",
                 "rps_RPn_freq_mhz", "rps_RP0_freq_mhz", "rps_RP1_freq_mhz"},
                folder + "/throttle_reason_", found);
    }
  }
}

zes_engine_type_flags_t engines_of(std::string_view name) {
  if (name == "ccs") return ZES_ENGINE_TYPE_FLAG_COMPUTE;
  if (name == "rcs") return ZES_ENGINE_TYPE_FLAG_RENDER;
  if (name == "bcs") return ZES_ENGINE_TYPE_FLAG_DMA;
  if (name == "vcs" || name == "vecs") return ZES_ENGINE_TYPE_FLAG_MEDIA;
  return ZES_ENGINE_TYPE_FLAG_OTHER;
}

Setter<std::uint64_t> setter(const SharedFile& file, std::uint64_t divisor) {
  if (!file) return {};
  return [file, divisor](std::uint64_t value) { file->write(static_cast<std::int64_t>(value / divisor)); };
}

// job_timeout_ms; timeslice_duration_us, preempt_timeout_us; with .defaults/ beside them.
void add_scheduler(const Root& root, const std::string& folder, std::string_view engine, Found& found) {
  const SharedFile watchdog = find_file(root, folder + "/job_timeout_ms");
  const SharedFile slice = find_file(root, folder + "/timeslice_duration_us");
  const SharedFile preemption = find_file(root, folder + "/preempt_timeout_us");
  if (!watchdog && !slice) return;
  SchedulerSource scheduler;
  scheduler.engines = engines_of(engine);
  scheduler.watchdog = multiplied<std::uint64_t>(watchdog, 1000);
  scheduler.timeslice = multiplied<std::uint64_t>(slice, 1);
  scheduler.preemption = multiplied<std::uint64_t>(preemption, 1);
  scheduler.set_watchdog = setter(watchdog, 1000);
  scheduler.set_timeslice = setter(slice, 1);
  scheduler.set_preemption = setter(preemption, 1);
  const auto preset = [&](std::string_view name, std::uint64_t factor) -> std::optional<std::uint64_t> {
    const auto value = root.number(folder + "/.defaults/" + std::string(name));
    return value && *value >= 0 ? std::optional(static_cast<std::uint64_t>(*value) * factor) : std::nullopt;
  };
  scheduler.default_watchdog = preset("job_timeout_ms", 1000);
  scheduler.default_timeslice = preset("timeslice_duration_us", 1);
  scheduler.default_preemption = preset("preempt_timeout_us", 1);
  found.schedulers.push_back(std::move(scheduler));
}

void add_xe(const Gpu& gpu, Found& found) {
  for (const std::string& tile : gpu.root.names(gpu.folder)) {
    if (!tile.starts_with("tile")) continue;
    for (const std::string& gt : gpu.root.names(gpu.file(tile))) {
      if (!gt.starts_with("gt")) continue;
      const std::string folder = gpu.file(tile + "/" + gt);
      add_clock(gpu.root,
                {folder + "/freq0", "act_freq", "cur_freq", "min_freq", "max_freq", "rpn_freq", "rp0_freq", "rpe_freq"},
                folder + "/freq0/throttle/reason_", found);
      for (const std::string& engine : gpu.root.names(folder + "/engines"))
        add_scheduler(gpu.root, folder + "/engines/" + engine, engine, found);
    }
  }
}

} // namespace

void find_intel_gpu(const Gpu& gpu, Found& found) {
  found.identity.vendor = "Intel";
  gpu.driver == "xe" ? add_xe(gpu, found) : add_i915(gpu, found);
}

} // namespace zeroth::sysman
