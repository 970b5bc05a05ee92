// What a reading of sysman costs over its source, in processor time: the function, and what it asks the kernel alone,
// in turns. Over the recorded machines and over this one; each machine in a process of its own, one JSON line a
// reading.
#include "questions.hpp"

#include <machine.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <functional>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace zeroth::testing;
using namespace zeroth::bench;

constexpr int Turns = 41, MostCalls = 200;
constexpr double TurnNanoseconds = 2e6; // readings that walk through folders are called less often

double now() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

template <class Call> double once(int calls, Call call) {
  const double start = now();
  for (int i = 0; i < calls; ++i) call();
  return (now() - start) / calls;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + Turns / 2, values.end());
  return values[Turns / 2];
}

class Table {
public:
  explicit Table(std::string machine) : machine_(std::move(machine)) {}

  // False for a reading that this machine does not give: it is left out.
  bool measure(const char* reading, const std::function<ze_result_t()>& read) const {
    if (read() != ZE_RESULT_SUCCESS) return false;
    const std::vector<Question> questions = questions_of(read);
    if (questions.empty()) return false; // a value that was kept
    const auto count = [&](Question::Kind kind) {
      return std::count_if(questions.begin(), questions.end(), [&](const Question& q) { return q.kind == kind; });
    };
    std::set<int> kept;
    for (const Question& one : questions)
      if (one.kind == Question::Kind::Pread) kept.insert(one.file);
    const auto files = static_cast<std::ptrdiff_t>(kept.size()) + count(Question::Kind::Open) +
                       count(Question::Kind::Link) + count(Question::Kind::Folder); // each a source
    const int calls = static_cast<int>(std::clamp(TurnNanoseconds / once(1, read), 1.0, double(MostCalls)));
    std::vector<double> whole, bare, over;
    for (int turn = 0; turn < Turns; ++turn) {
      whole.push_back(once(calls, read));
      bare.push_back(once(calls, [&] { ask_again(questions); }));
      over.push_back(whole.back() - bare.back());
    }
    std::printf("{\"machine\": \"%s\", \"reading\": \"%s\", \"preads\": %td, \"opened\": %td, \"files\": %td, "
                "\"bare\": %.0f, \"read\": %.0f, \"over\": %.0f}\n",
                machine_.c_str(), reading, count(Question::Kind::Pread), count(Question::Kind::Open), files,
                median(bare), median(whole), median(over));
    return true;
  }

  // A structure with a tag, filled by a function of the first of a device's parts.
  template <class Struct, class Part>
  void fill(const char* reading, ze_result_t (*enumerate)(zes_device_handle_t, uint32_t*, Part*),
            zes_device_handle_t device, ze_result_t (*function)(Part, Struct*), zes_structure_type_t tag) const {
    const auto parts = all_of(enumerate, device);
    if (parts.empty()) return;
    Struct value{};
    if constexpr (requires { value.stype; }) value.stype = tag;
    measure(reading, [&] { return function(parts[0], &value); });
  }

private:
  std::string machine_;
};

constexpr auto NoTag = ZES_STRUCTURE_TYPE_FORCE_UINT32;

void small_readings(const Table& table, zes_device_handle_t device) {
  table.fill("temperature", zesDeviceEnumTemperatureSensors, device, zesTemperatureGetState, NoTag);
  table.fill("energy", zesDeviceEnumPowerDomains, device, zesPowerGetEnergyCounter, NoTag);
  table.fill("frequency", zesDeviceEnumFrequencyDomains, device, zesFrequencyGetState, ZES_STRUCTURE_TYPE_FREQ_STATE);
  table.fill("frequency range", zesDeviceEnumFrequencyDomains, device, zesFrequencyGetRange, NoTag);
  table.fill("throttle time", zesDeviceEnumFrequencyDomains, device, zesFrequencyGetThrottleTime, NoTag);
  table.fill("performance factor", zesDeviceEnumPerformanceFactorDomains, device, zesPerformanceFactorGetConfig, NoTag);
  table.fill("light", zesDeviceEnumLeds, device, zesLedGetState, ZES_STRUCTURE_TYPE_LED_STATE);
  table.fill("power supply", zesDeviceEnumPsus, device, zesPsuGetState, ZES_STRUCTURE_TYPE_PSU_STATE);
  table.fill("standby", zesDeviceEnumStandbyDomains, device, zesStandbyGetMode, NoTag);
  table.fill("scheduler", zesDeviceEnumSchedulers, device, zesSchedulerGetCurrentMode, NoTag);
  int32_t speed = 0;
  for (const auto fan : all_of(zesDeviceEnumFans, device))
    if (table.measure("fan", [&] { return zesFanGetState(fan, ZES_FAN_SPEED_UNITS_RPM, &speed); })) break;
}

void long_readings(const Table& table, zes_device_handle_t device) {
  table.fill("memory", zesDeviceEnumMemoryModules, device, zesMemoryGetState, ZES_STRUCTURE_TYPE_MEM_STATE);
  table.fill("memory traffic", zesDeviceEnumMemoryModules, device, zesMemoryGetBandwidth, NoTag);
  table.fill("activity", zesDeviceEnumEngineGroups, device, zesEngineGetActivity, NoTag);
  const auto powers = all_of(zesDeviceEnumPowerDomains, device);
  uint32_t milliwatts = 0, average = 0;
  for (const auto power : powers)
    if (table.measure("power limit", [&] { return zesPowerGetLimitsExt2(power, &milliwatts); })) break;
  for (const auto power : powers)
    if (table.measure("power", [&] { return zesPowerGetUsage(power, &milliwatts, &average); })) break;
  zes_ras_state_t errors{};
  for (const auto set : all_of(zesDeviceEnumRasErrorSets, device))
    if (table.measure("errors", [&] { return zesRasGetState(set, false, &errors); })) break;
  std::vector<zes_process_state_t> processes(4096, {ZES_STRUCTURE_TYPE_PROCESS_STATE, nullptr, 0, 0, 0, 0});
  table.measure("processes", [&] {
    uint32_t count = static_cast<uint32_t>(processes.size());
    return zesDeviceProcessesGetState(device, &count, processes.data());
  });
  zes_pci_state_t link{};
  link.stype = ZES_STRUCTURE_TYPE_PCI_STATE;
  table.measure("link", [&] { return zesDevicePciGetState(device, &link); });
  zes_pci_stats_t traffic{};
  table.measure("link counters", [&] { return zesDevicePciGetStats(device, &traffic); });
}

// Every device of every driver; those after the first are numbered.
void measure_all(const std::string& name) {
  if (zesInit(0) != ZE_RESULT_SUCCESS) return;
  uint32_t count = 8;
  std::array<zes_driver_handle_t, 8> drivers{};
  zesDriverGet(&count, drivers.data());
  int number = 0;
  for (uint32_t i = 0; i < count; ++i)
    for (const auto device : all_of(zesDeviceGet, drivers[i])) {
      const Table table(number == 0 ? name : name + " " + std::to_string(number));
      ++number;
      small_readings(table, device);
      long_readings(table, device);
    }
}

// Processes that do not use the GPU, each with some open files.
void add_processes(const Machine& machine) {
  for (int process = 2000; process < 2200; ++process) {
    const std::string folder = "/proc/" + std::to_string(process);
    machine.write(folder + "/statm", "5000 1200 300 10 0 800 0\n");
    for (int file = 0; file < 10; ++file)
      machine.write(folder + "/fdinfo/" + std::to_string(file), "pos:\t0\nflags:\t02\nmnt_id:\t15\nino:\t1\n");
  }
}

template <class Body> void in_own_process(Body body) {
  std::fflush(nullptr);
  if (const pid_t child = ::fork(); child == 0) {
    body();
    std::exit(0);
  } else {
    ::waitpid(child, nullptr, 0);
  }
}

} // namespace

int main() {
  for (const char* name : {"laptop", "server", "gpus"})
    in_own_process([&] {
      const Machine machine(name);
      machine.use();
      measure_all(name);
    });
  in_own_process([] {
    const Machine machine("gpus");
    add_processes(machine);
    machine.use();
    measure_all("gpus, 200 processes");
  });
  in_own_process([] {
    ::setenv("ZEROTH_CONFIG", "default", 1);
    measure_all("this one");
  });
}
