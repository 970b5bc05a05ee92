// One event counted by a performance counter of the machine (perf_event_open), outside of any process.
//
// Made from the kernel's description; the counter itself is opened by the first read, counts from then on, and stays
// open. Any thread. In a recorded machine the count is the file /perf/PMU/EVENT.
#pragma once

#include "../files/value_file.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace zeroth::sysman {

class PerfCounter {
public:
  // Null where the kernel does not describe the event. `terms`: "event=0x04,umask=0x03".
  static std::shared_ptr<const PerfCounter> find(const Root& root, const std::string& pmu, int cpu,
                                                 const std::string& event, std::string_view terms);
  ~PerfCounter();
  PerfCounter(const PerfCounter&) = delete;
  PerfCounter& operator=(const PerfCounter&) = delete;

  // Throws Error: INSUFFICIENT_PERMISSIONS names what the kernel asks for.
  std::uint64_t read() const;

private:
  PerfCounter(std::string name, std::uint32_t type, std::uint64_t config, int cpu, SharedFile recorded)
      : name_(std::move(name)), type_(type), config_(config), cpu_(cpu), recorded_(std::move(recorded)) {}
  int file() const;

  std::string name_;
  std::uint32_t type_;
  std::uint64_t config_;
  int cpu_;
  SharedFile recorded_; // null on a real machine
  mutable std::atomic<int> file_{-1};
};

} // namespace zeroth::sysman
