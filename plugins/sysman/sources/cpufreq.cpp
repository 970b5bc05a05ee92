// /sys/devices/system/cpu/cpufreq: one domain per policy, which is a set of cores that share a clock. Without it, as in
// most virtual machines, /proc/cpuinfo still tells at what clock the cores run.
#include "sources.hpp"

#include "../parse/numbers.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>

namespace zeroth::sysman {
namespace {

constexpr double Mega = 0.001; // the files hold kilohertz

std::optional<double> megahertz(const Root& root, const std::string& file) {
  const auto value = root.number(file);
  return value && *value > 0 ? std::optional(static_cast<double>(*value) * Mega) : std::nullopt;
}

void add_range(const Root& root, const std::string& folder, FrequencySource& domain) {
  const SharedFile low = find_file(root, folder + "/scaling_min_freq");
  const SharedFile high = find_file(root, folder + "/scaling_max_freq");
  if (!low || !high) return;
  domain.range = [low, high] {
    return zes_freq_range_t{static_cast<double>(low->integer()) * Mega, static_cast<double>(high->integer()) * Mega};
  };
  // The kernel refuses a lower bound above the upper one, so the one that gives way is written first.
  domain.set_range = [low, high](zes_freq_range_t range) {
    const auto kilohertz = [](double value) { return static_cast<std::int64_t>(value * 1000 + 0.5); };
    const bool up = kilohertz(range.min) > high->integer();
    if (up) high->write(kilohertz(range.max));
    low->write(kilohertz(range.min));
    if (!up) high->write(kilohertz(range.max));
  };
}

// Counts of the first core of the policy; the kernel keeps them per core and per package.
void add_throttling(const Root& root, const std::string& folder, FrequencySource& domain) {
  const std::string first = root.text(folder + "/affected_cpus").value_or("0");
  const auto core = parse::integer(first).value_or(0);
  const std::string counts = fmt::format("/sys/devices/system/cpu/cpu{}/thermal_throttle/", core);
  const SharedFile count = find_file(root, counts + "core_throttle_count");
  const SharedFile package = find_file(root, counts + "package_throttle_count");
  domain.throttled = multiplied<std::uint64_t>(find_file(root, counts + "core_throttle_total_time_ms"), 1000);
  if (!count) return;
  domain.throttle_count = [count, package] {
    return static_cast<std::uint64_t>(count->integer() + (package ? package->integer() : 0));
  };
}

// "Thermal" means: throttled since the state was last asked for. The kernel counts, it does not tell the present.
Reader<zes_freq_throttle_reason_flags_t> reasons(const FrequencySource& domain, const SharedFile& limit) {
  auto last = std::make_shared<std::atomic<std::uint64_t>>(UINT64_MAX);
  return [last, count = domain.throttle_count, most = scaled(limit, Mega), highest = domain.highest] {
    zes_freq_throttle_reason_flags_t flags = 0;
    if (count) {
      const std::uint64_t now = count();
      if (now > last->exchange(now)) flags |= ZES_FREQ_THROTTLE_REASON_FLAG_THERMAL_LIMIT;
    }
    if (most && highest && most() < *highest) flags |= ZES_FREQ_THROTTLE_REASON_FLAG_SW_RANGE;
    return flags;
  };
}

Reader<std::vector<double>> clocks(const SharedFile& file) {
  if (!file) return {};
  return [file] {
    std::vector<double> all;
    const std::string text = file->read_long();
    std::string_view rest = text;
    for (auto word = parse::next_word(rest); !word.empty(); word = parse::next_word(rest))
      if (const auto value = parse::integer(word)) all.push_back(static_cast<double>(*value) * Mega);
    std::sort(all.begin(), all.end());
    return all;
  };
}

void add_policy(const Root& root, const std::string& folder, Found& found) {
  FrequencySource domain;
  domain.lowest = megahertz(root, folder + "/cpuinfo_min_freq");
  domain.highest = megahertz(root, folder + "/cpuinfo_max_freq");
  // Where the hardware's mean is told, the other file holds what the kernel asked for; alone, it is the best there is.
  const SharedFile mean = find_file(root, folder + "/cpuinfo_avg_freq");
  const SharedFile asked = find_file(root, folder + "/scaling_cur_freq");
  domain.actual = scaled(mean ? mean : asked, Mega);
  if (mean) domain.requested = scaled(asked, Mega);
  domain.sustained = scaled(find_file(root, folder + "/base_frequency"), Mega);
  domain.clocks = clocks(find_file(root, folder + "/scaling_available_frequencies"));
  add_range(root, folder, domain);
  add_throttling(root, folder, domain);
  domain.throttle_reasons = reasons(domain, find_file(root, folder + "/scaling_max_freq"));
  found.frequencies.push_back(std::move(domain));
}

// The mean over the cores: without policies there is no telling which of them share a clock.
double mean_clock(const ValueFile& file) {
  constexpr std::string_view Clock = "\ncpu MHz";
  const std::string text = file.read_long();
  double sum = 0;
  int cores = 0;
  std::string_view rest = text; // long, and nearly all of it is about something else: found, not read line by line
  for (auto at = rest.find(Clock); at != std::string_view::npos; at = rest.find(Clock)) {
    rest.remove_prefix(at + Clock.size());
    std::string_view value = parse::trimmed(parse::next_line(rest));
    if (!value.starts_with(':')) continue;
    if (const auto clock = parse::decimal(value.substr(1))) sum += *clock, ++cores;
  }
  if (cores == 0) throw Error(ZE_RESULT_ERROR_NOT_AVAILABLE, "{} tells no clock", file.path());
  return sum / cores;
}

} // namespace

void find_cpufreq(const Root& root, Found& found) {
  const std::string folder = "/sys/devices/system/cpu/cpufreq";
  for (const std::string& policy : root.names(folder))
    if (policy.starts_with("policy")) add_policy(root, folder + "/" + policy, found);
  if (!found.frequencies.empty()) return;
  const auto text = root.text("/proc/cpuinfo");
  if (!text || !parse::value_of(*text, "cpu MHz")) return;
  FrequencySource domain;
  domain.actual = [file = find_file(root, "/proc/cpuinfo")] { return mean_clock(*file); };
  found.frequencies.push_back(std::move(domain));
}

} // namespace zeroth::sysman
