#include "memory_traffic.hpp"

#include "../parse/perf_event.hpp"
#include "../parts/clock.hpp"
#include "perf_counter.hpp"

#include <cmath>
#include <set>

namespace zeroth::sysman {
namespace {

const std::string Pmus = "/sys/bus/event_source/devices/";

struct Count {
  std::shared_ptr<const PerfCounter> counter;
  double bytes; // each
};
using Counts = std::vector<Count>;

// Of the controllers of one processor.
struct Controllers {
  Counts reads, writes;
};

// Intel describes its events; the names grew with the generations. Newer chips count parts of a channel apart
// (cas_count_read_sch0, …): those are added.
void add_described(const Root& root, const std::string& pmu, int cpu, std::string_view start, Counts& counts) {
  const std::string folder = Pmus + pmu + "/events/";
  for (const std::string& name : root.names(folder)) {
    if (!name.starts_with(start) || name.find('.') != std::string::npos) continue;
    const auto bytes = parse::bytes_per_count(root.text(folder + name + ".scale").value_or(""),
                                              root.text(folder + name + ".unit").value_or(""));
    auto counter = PerfCounter::find(root, pmu, cpu, name, root.text(folder + name).value_or(""));
    if (bytes && counter) counts.push_back({std::move(counter), *bytes});
  }
}

// AMD's unified memory controllers (Zen 4 on): commands of 64 bytes.
void add_umc(const Root& root, const std::string& pmu, int cpu, Controllers& controllers) {
  constexpr double Line = 64;
  if (auto reads = PerfCounter::find(root, pmu, cpu, "cas_read", "event=0x0a,rdwrmask=0x1"))
    controllers.reads.push_back({std::move(reads), Line});
  if (auto writes = PerfCounter::find(root, pmu, cpu, "cas_write", "event=0x0a,rdwrmask=0x2"))
    controllers.writes.push_back({std::move(writes), Line});
}

// By the processor that reads a package's counters; complete ones only.
using ByCpu = std::map<int, Controllers>;

template <class Add> ByCpu collect(const Root& root, std::string_view family, Add add) {
  ByCpu by_cpu;
  for (const std::string& pmu : root.names(Pmus))
    if (pmu.starts_with(family))
      for (const int cpu : parse::cpu_list(root.text(Pmus + pmu + "/cpumask").value_or(""))) add(pmu, cpu, by_cpu[cpu]);
  std::erase_if(by_cpu, [](const auto& one) { return one.second.reads.empty() || one.second.writes.empty(); });
  return by_cpu;
}

// Some chips count the same traffic twice, by counters that run free beside those that are set up: one family counts.
ByCpu find_controllers(const Root& root) {
  ByCpu found = collect(root, "uncore_imc", [&](const std::string& pmu, int cpu, Controllers& mine) {
    add_described(root, pmu, cpu, "cas_count_read", mine.reads);
    add_described(root, pmu, cpu, "cas_count_write", mine.writes);
  });
  if (found.empty())
    found = collect(root, "uncore_imc", [&](const std::string& pmu, int cpu, Controllers& mine) {
      add_described(root, pmu, cpu, "data_read", mine.reads);
      add_described(root, pmu, cpu, "data_write", mine.writes);
    });
  if (found.empty())
    found = collect(root, "amd_umc",
                    [&](const std::string& pmu, int cpu, Controllers& mine) { add_umc(root, pmu, cpu, mine); });
  return found;
}

std::uint64_t sum(const Counts& counts) {
  double total = 0;
  for (const Count& one : counts) total += static_cast<double>(one.counter->read()) * one.bytes;
  return static_cast<std::uint64_t>(std::llround(total));
}

Reader<zes_mem_bandwidth_t> reader(Controllers controllers) {
  return [controllers = std::move(controllers)] {
    constexpr std::uint64_t NotKnown = UINT64_MAX; // how fast the modules are is not told
    return zes_mem_bandwidth_t{sum(controllers.reads), sum(controllers.writes), NotKnown, microseconds()};
  };
}

} // namespace

std::map<std::string, Reader<zes_mem_bandwidth_t>> memory_traffic(const Root& root,
                                                                  const std::vector<std::string>& nodes) {
  std::map<std::string, Reader<zes_mem_bandwidth_t>> found;
  auto controllers = find_controllers(root);
  if (controllers.size() != nodes.size()) return found;
  for (auto& [cpu, mine] : controllers)
    for (const std::string& node : nodes)
      if (nodes.size() == 1 || root.exists("/sys/devices/system/node/" + node + "/cpu" + std::to_string(cpu)))
        found[node] = reader(std::move(mine));
  return found;
}

} // namespace zeroth::sysman
