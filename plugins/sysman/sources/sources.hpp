// One function per source: each adds to `found` what its files tell. None throws for what it cannot read.
#pragma once

#include "../files/value_file.hpp"
#include "place.hpp"

#include <utility>

namespace zeroth::sysman {

// Of the host.
void find_powercap(const Root& root, Found& found);       // energy and power limits of packages (RAPL)
void find_host_hwmon(const Root& root, Found& found);     // temperatures, fans, power meters of processor and board
void find_thermal_zones(const Root& root, Found& found);  // temperatures where hwmon has none
void find_cpufreq(const Root& root, Found& found);        // frequencies, limits, throttling
void find_proc_stat(const Root& root, Found& found);      // activity of cores
void find_host_memory(const Root& root, Found& found);    // memory of NUMA nodes
void find_memory_makers(const Root& root, Found& found);  // of the memory that was found before
void find_edac(const Root& root, Found& found);           // memory modules, error counters
void find_machine_checks(const Root& root, Found& found); // errors that the processor reported
void find_power_supplies(const Root& root, Found& found);
void find_leds(const Root& root, Found& found);
void find_host_firmware(const Root& root, Found& found); // BIOS and microcode; who built the machine
void find_pstate(const Root& root, Found& found);        // the share of its performance that a processor may use
void find_host_processes(const Root& root, Found& found);

// A reader of a number in a file, times a factor.
inline Reader<double> scaled(SharedFile file, double factor) {
  if (!file) return {};
  return [file, factor] { return static_cast<double>(file->integer()) * factor; };
}

// A whole number as the API has room for it; one that does not fit is no reading. Throws Error.
template <class T> T fitting(std::int64_t value, const ValueFile& file) {
  if (std::in_range<T>(value)) return static_cast<T>(value);
  throw Error(ZE_RESULT_ERROR_NOT_AVAILABLE, "{} holds {}, which is no value of its kind", file.path(), value);
}

// Numbers that the kernel gives in thousandths of what the API wants, and the other way round.
template <class T> Reader<T> divided(SharedFile file, std::int64_t divisor) {
  if (!file) return {};
  return [file, divisor] { return fitting<T>(file->integer() / divisor, *file); };
}
template <class T> Reader<T> multiplied(SharedFile file, std::int64_t factor) {
  if (!file) return {};
  return [file, factor] {
    const std::int64_t value = file->integer();
    std::int64_t product = 0;
    return fitting<T>(__builtin_mul_overflow(value, factor, &product) ? INT64_MIN : product, *file);
  };
}

// A number that is asked for once, in units of `divisor`; absent when it is not above 0 or does not fit.
inline std::optional<std::int32_t> positive(const Root& root, std::string_view file, std::int64_t divisor) {
  const auto value = root.number(file);
  if (!value || *value <= 0 || !std::in_range<std::int32_t>(*value / divisor)) return std::nullopt;
  return static_cast<std::int32_t>(*value / divisor);
}

// A count that starts again at zero after `range` becomes one that only grows, as long as it is read once per turn.
Reader<std::uint64_t> unwrapped(Reader<std::uint64_t> count, std::uint64_t range);

} // namespace zeroth::sysman
