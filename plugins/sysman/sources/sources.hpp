// One function per source: each adds to `found` what its files tell. None throws for what it cannot read.
#pragma once

#include "../files/value_file.hpp"
#include "place.hpp"

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

// Numbers that the kernel gives in thousandths of what the API wants, and the other way round.
template <class T> Reader<T> divided(SharedFile file, std::int64_t divisor) {
  if (!file) return {};
  return [file, divisor] { return static_cast<T>(file->integer() / divisor); };
}
template <class T> Reader<T> multiplied(SharedFile file, std::int64_t factor) {
  if (!file) return {};
  return [file, factor] { return static_cast<T>(file->integer() * factor); };
}

// A count that starts again at zero after `range` becomes one that only grows, as long as it is read once per turn.
Reader<std::uint64_t> unwrapped(Reader<std::uint64_t> count, std::uint64_t range);

} // namespace zeroth::sysman
