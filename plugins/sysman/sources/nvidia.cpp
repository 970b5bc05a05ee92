// NVIDIA GPUs, through NVIDIA's own library. Each value is asked once when the device is looked into; what the GPU does
// not tell is left out.
#include "gpu.hpp"
#include "nvml.hpp"

#include "../parse/pci.hpp"
#include "../parts/clock.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <optional>

namespace zeroth::sysman {
namespace {

// The library and the GPU in it.
struct Card {
  const Nvml& nvml;
  Nvml::Device device;

  // A reader of one number, if it can be read at all; times a factor.
  template <class To, class Number, class... Arguments>
  Reader<To> number(double factor, const char* name, Arguments... arguments) const {
    const auto read = [nvml = &nvml, device = device, factor, name, arguments...] {
      return static_cast<To>(static_cast<double>(nvml->get<Number>(name, device, arguments...)) * factor);
    };
    return is_told([&] { read(); }) ? Reader<To>(read) : Reader<To>();
  }
  template <class Number, class... Arguments>
  std::optional<Number> once(const char* name, Arguments... arguments) const try {
    return nvml.get<Number>(name, device, arguments...);
  } catch (const Error&) {
    return std::nullopt;
  }
  // A missing right or a sleeping GPU is told when the value is asked for; only "not supported" leaves it out.
  template <class Call> static bool is_told(Call call) try {
    call();
    return true;
  } catch (const Error& error) {
    return error.code != ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  }
};

enum Clock : int { Graphics = 0, Memory = 2, Video = 3 };

void add_power(const Card& card, Found& found) {
  PowerSource power;
  power.domain = ZES_POWER_DOMAIN_CARD;
  power.microjoules = card.number<std::uint64_t, unsigned long long>(1000, "nvmlDeviceGetTotalEnergyConsumption");
  power.milliwatts_now = card.number<std::uint32_t, unsigned>(1, "nvmlDeviceGetPowerUsage");
  PowerLimit limit;
  limit.level = ZES_POWER_LEVEL_SUSTAINED;
  limit.milliwatts = card.number<std::int32_t, unsigned>(1, "nvmlDeviceGetPowerManagementLimit");
  limit.set_milliwatts = [nvml = &card.nvml, device = card.device](std::int32_t value) {
    nvml->call("nvmlDeviceSetPowerManagementLimit", device, static_cast<unsigned>(value));
  };
  if (const auto factory = card.once<unsigned>("nvmlDeviceGetPowerManagementDefaultLimit"))
    limit.factory = static_cast<std::int32_t>(*factory);
  try {
    unsigned least = 0, most = 0;
    card.nvml.call("nvmlDeviceGetPowerManagementLimitConstraints", card.device, &least, &most);
    power.lowest_limit = static_cast<std::int32_t>(least), power.highest_limit = static_cast<std::int32_t>(most);
  } catch (const Error&) { // not told
  }
  if (limit.milliwatts) power.limits.push_back(std::move(limit));
  if (power.microjoules || power.milliwatts_now) found.powers.push_back(std::move(power));
}

void add_temperatures(const Card& card, Found& found) {
  constexpr int OfGpu = 0, Shutdown = 0, GpuMost = 3;
  TemperatureSource gpu;
  gpu.type = ZES_TEMP_SENSORS_GPU;
  gpu.celsius = card.number<double, unsigned>(1, "nvmlDeviceGetTemperature", OfGpu);
  const auto degrees = [&](int threshold) -> std::optional<double> {
    const auto value = card.once<unsigned>("nvmlDeviceGetTemperatureThreshold", threshold);
    return value ? std::optional(double(*value)) : std::nullopt;
  };
  gpu.maximum = degrees(GpuMost);
  gpu.critical = degrees(Shutdown);
  if (!gpu.maximum) gpu.maximum = gpu.critical;
  if (gpu.celsius) found.temperatures.push_back(std::move(gpu));
}

// Bits of nvmlClocksEventReasons that mean less than full speed.
zes_freq_throttle_reason_flags_t reasons_of(unsigned long long bits) {
  zes_freq_throttle_reason_flags_t flags = 0;
  if (bits & 0x2) flags |= ZES_FREQ_THROTTLE_REASON_FLAG_SW_RANGE;    // clocks set by an application
  if (bits & 0x4) flags |= ZES_FREQ_THROTTLE_REASON_FLAG_AVE_PWR_CAP; // software power cap
  if (bits & 0x8) flags |= ZES_FREQ_THROTTLE_REASON_FLAG_HW_RANGE;    // hardware slowdown
  if (bits & (0x20 | 0x40)) flags |= ZES_FREQ_THROTTLE_REASON_FLAG_THERMAL_LIMIT;
  if (bits & 0x80) flags |= ZES_FREQ_THROTTLE_REASON_FLAG_PSU_ALERT; // power brake
  return flags;
}

// The clocks that can be chosen, ascending; none where the library does not list them.
template <class... Arguments>
std::vector<double> listed(const Card& card, const char* name, Arguments... arguments) try {
  std::vector<unsigned> clocks(512);
  unsigned count = static_cast<unsigned>(clocks.size());
  card.nvml.call(name, card.device, arguments..., &count, clocks.data());
  clocks.resize(std::min<std::size_t>(count, clocks.size()));
  std::sort(clocks.begin(), clocks.end());
  return {clocks.begin(), clocks.end()};
} catch (const Error&) {
  return {};
}

// Those of the processor depend on the memory's: the fastest one's are told.
std::vector<double> clocks_of(const Card& card, Clock clock) {
  if (clock == Video) return {};
  const auto memory = listed(card, "nvmlDeviceGetSupportedMemoryClocks");
  if (clock == Memory) return memory;
  if (memory.empty()) return {};
  return listed(card, "nvmlDeviceGetSupportedGraphicsClocks", static_cast<unsigned>(memory.back()));
}

// The library locks clocks to a range and does not tell it: known is what this process has set.
class LockedRange {
public:
  void keep(zes_freq_range_t range) {
    const std::lock_guard lock(mutex_);
    range_ = range;
  }
  zes_freq_range_t told() const {
    const std::lock_guard lock(mutex_);
    if (range_) return *range_;
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "NVIDIA's library does not tell whether others lock the clocks");
  }

private:
  mutable std::mutex mutex_;
  std::optional<zes_freq_range_t> range_;
};

void add_lock(const Card& card, const char* lock, const char* unlock, FrequencySource& domain) {
  const auto locked = std::make_shared<LockedRange>();
  domain.range = [locked] { return locked->told(); };
  domain.set_range = [nvml = &card.nvml, device = card.device, lock, locked](zes_freq_range_t range) {
    nvml->call(lock, device, static_cast<unsigned>(std::max(range.min, 0.0)), static_cast<unsigned>(range.max));
    locked->keep(range);
  };
  const zes_freq_range_t whole{domain.lowest.value_or(-1), domain.highest.value_or(-1)};
  domain.free_range = [nvml = &card.nvml, device = card.device, unlock, locked, whole] {
    nvml->call(unlock, device);
    locked->keep(whole);
  };
}

void add_clock(const Card& card, zes_freq_domain_t type, Clock clock, Found& found) {
  constexpr int PowerPolicy = 0, ThermalPolicy = 1;
  FrequencySource domain;
  domain.type = type;
  domain.actual = card.number<double, unsigned>(1, "nvmlDeviceGetClockInfo", static_cast<int>(clock));
  if (!domain.actual) return;
  if (const auto most = card.once<unsigned>("nvmlDeviceGetMaxClockInfo", static_cast<int>(clock)))
    domain.highest = *most;
  if (auto clocks = clocks_of(card, clock); !clocks.empty()) {
    domain.lowest = clocks.front();
    domain.clocks = [clocks = std::move(clocks)] { return clocks; };
  }
  if (clock == Graphics) {
    if (card.once<unsigned long long>("nvmlDeviceGetCurrentClocksThrottleReasons"))
      domain.throttle_reasons = [nvml = &card.nvml, device = card.device] {
        return reasons_of(nvml->get<unsigned long long>("nvmlDeviceGetCurrentClocksThrottleReasons", device));
      };
    if (card.once<Nvml::Violation>("nvmlDeviceGetViolationStatus", ThermalPolicy))
      domain.throttled = [nvml = &card.nvml, device = card.device] {
        const auto heat = nvml->get<Nvml::Violation>("nvmlDeviceGetViolationStatus", device, ThermalPolicy);
        const auto power = nvml->get<Nvml::Violation>("nvmlDeviceGetViolationStatus", device, PowerPolicy);
        return static_cast<std::uint64_t>((heat.violation + power.violation) / 1000);
      };
    add_lock(card, "nvmlDeviceSetGpuLockedClocks", "nvmlDeviceResetGpuLockedClocks", domain);
  }
  if (clock == Memory) add_lock(card, "nvmlDeviceSetMemoryLockedClocks", "nvmlDeviceResetMemoryLockedClocks", domain);
  found.frequencies.push_back(std::move(domain));
}

void add_memory(const Card& card, Found& found) {
  const auto now = card.once<Nvml::Memory>("nvmlDeviceGetMemoryInfo");
  if (!now) return;
  MemorySource memory;
  memory.location = ZES_MEM_LOC_DEVICE;
  memory.physical_size = now->total;
  if (const auto width = card.once<unsigned>("nvmlDeviceGetMemoryBusWidth"))
    memory.bus_width = static_cast<std::int32_t>(*width);
  memory.state = [nvml = &card.nvml, device = card.device] {
    const auto state = nvml->get<Nvml::Memory>("nvmlDeviceGetMemoryInfo", device);
    return MemoryState{ZES_MEM_HEALTH_UNKNOWN, state.free, state.total};
  };
  found.memories.push_back(std::move(memory));
}

// NVIDIA gives samples of utilisation with their times, no counter of active time: the counter is their sum over time,
// from the first time that it is read.
class Activity {
public:
  Activity(const Card& card) : nvml_(card.nvml), device_(card.device) {}

  zes_engine_stats_t read() {
    constexpr int GpuUtilisation = 1;
    const std::lock_guard lock(mutex_);
    unsigned count = static_cast<unsigned>(samples_.size());
    int kind = 0;
    try {
      nvml_.call("nvmlDeviceGetSamples", device_, GpuUtilisation, seen_, &kind, &count, samples_.data());
      take(count);
    } catch (const Error& error) {
      if (error.code != ZE_RESULT_ERROR_NOT_AVAILABLE) throw; // no new samples
    }
    return {static_cast<std::uint64_t>(active_), microseconds()};
  }

private:
  void take(unsigned count) {
    for (unsigned i = 0; i < std::min<std::size_t>(count, samples_.size()); ++i) {
      const Nvml::Sample& sample = samples_[i];
      if (sample.time <= seen_) continue;
      if (seen_ != 0) active_ += static_cast<double>(sample.time - seen_) * sample.value.as_unsigned / 100;
      seen_ = sample.time;
    }
  }

  const Nvml& nvml_;
  Nvml::Device device_;
  std::mutex mutex_; // guards what follows
  std::array<Nvml::Sample, 256> samples_{};
  unsigned long long seen_ = 0;
  double active_ = 0; // microseconds
};

void add_engine(const Card& card, Found& found) {
  const auto activity = std::make_shared<Activity>(card);
  if (Card::is_told([&] { activity->read(); }))
    found.engines.push_back({ZES_ENGINE_GROUP_ALL, [activity] { return activity->read(); }});
}

void add_errors(const Card& card, Found& found) {
  constexpr int Volatile = 0;
  for (const int kind : {0, 1}) {
    RasSource set;
    set.type = kind == 0 ? ZES_RAS_ERROR_TYPE_CORRECTABLE : ZES_RAS_ERROR_TYPE_UNCORRECTABLE;
    auto count = card.number<std::uint64_t, unsigned long long>(1, "nvmlDeviceGetTotalEccErrors", kind, Volatile);
    if (!count) continue;
    // NVIDIA clears both kinds at once.
    set.counters.push_back(
        {ZES_RAS_ERROR_CATEGORY_EXP_MEMORY_ERRORS, std::move(count),
         [nvml = &card.nvml, device = card.device] { nvml->call("nvmlDeviceClearEccErrorCounts", device, Volatile); }});
    found.ras.push_back(std::move(set));
  }
  unsigned now = 0, pending = 0;
  if (Card::is_told([&] { card.nvml.call("nvmlDeviceGetEccMode", card.device, &now, &pending); }))
    found.ecc = [nvml = &card.nvml, device = card.device] {
      unsigned on = 0, next = 0;
      nvml->call("nvmlDeviceGetEccMode", device, &on, &next);
      return on != 0;
    };
}

void add_fan(const Card& card, unsigned number, Found& found) {
  constexpr unsigned Manual = 1;
  FanSource fan;
  fan.percent = card.number<std::int32_t, unsigned>(1, "nvmlDeviceGetFanSpeed_v2", number);
  if (!fan.percent) return;
  if (card.once<unsigned>("nvmlDeviceGetFanControlPolicy_v2", number))
    fan.mode = [nvml = &card.nvml, device = card.device, number] {
      const auto policy = nvml->get<unsigned>("nvmlDeviceGetFanControlPolicy_v2", device, number);
      return policy == Manual ? ZES_FAN_SPEED_MODE_FIXED : ZES_FAN_SPEED_MODE_DEFAULT;
    };
  fan.set_percent = [nvml = &card.nvml, device = card.device, number](std::int32_t percent) {
    nvml->call("nvmlDeviceSetFanSpeed_v2", device, number, static_cast<unsigned>(percent));
  };
  fan.set_automatic = [nvml = &card.nvml, device = card.device, number] {
    nvml->call("nvmlDeviceSetDefaultFanSpeed_v2", device, number);
  };
  found.fans.push_back(std::move(fan));
}

void add_fans(const Card& card, Found& found) {
  const unsigned fans = card.once<unsigned>("nvmlDeviceGetNumFans").value_or(0);
  for (unsigned i = 0; i < fans; ++i) add_fan(card, i, found);
}

// A GPU that must be reset answers nothing else.
void add_wedged(const Card& card, Found& found) {
  constexpr int OfGpu = 0;
  found.wedged = [before = std::move(found.wedged), nvml = &card.nvml, device = card.device] {
    if (before && before()) return true;
    try {
      nvml->get<unsigned>("nvmlDeviceGetTemperature", device, OfGpu);
    } catch (const Error& error) {
      return error.code == ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET;
    }
    return false;
  };
}

void add_processes(const Card& card, Found& found) {
  found.processes = [nvml = &card.nvml, device = card.device] {
    unsigned count = 512;
    std::vector<Nvml::Process> list(count);
    nvml->call("nvmlDeviceGetComputeRunningProcesses_v3", device, &count, list.data());
    list.resize(std::min<std::size_t>(count, list.size()));
    std::vector<ProcessUse> all;
    for (const Nvml::Process& process : list) {
      ProcessUse use{process.id, std::nullopt, std::nullopt, ZES_ENGINE_TYPE_FLAG_COMPUTE};
      if (process.memory != ~0ull) use.memory = process.memory; // "not available" in containers
      all.push_back(use);
    }
    return all;
  };
}

// The bus of virtual machines does not tell the link; the library does.
void add_link(const Card& card, Found& found) {
  if (!found.pci) return;
  const auto gen = card.once<unsigned>("nvmlDeviceGetMaxPcieLinkGeneration");
  const auto lanes = card.once<unsigned>("nvmlDeviceGetMaxPcieLinkWidth");
  if (found.pci->fastest.gen < 0 && gen && lanes) {
    const auto generation = static_cast<std::int32_t>(*gen), width = static_cast<std::int32_t>(*lanes);
    found.pci->fastest = {generation, width, parse::pci_bandwidth(generation, width)};
  }
  if (!found.pci->replays)
    found.pci->replays = card.number<std::uint64_t, unsigned>(1, "nvmlDeviceGetPcieReplayCounter");
}

} // namespace

void find_nvidia(const Gpu& gpu, const std::string& library, Found& found) {
  found.identity.vendor = "NVIDIA";
  const Nvml* nvml = Nvml::open(library);
  const Nvml::Device device = nvml ? nvml->at(gpu.pci) : nullptr;
  if (device == nullptr) return;
  const Card card{*nvml, device};
  add_power(card, found);
  add_temperatures(card, found);
  add_clock(card, ZES_FREQ_DOMAIN_GPU, Graphics, found);
  add_clock(card, ZES_FREQ_DOMAIN_MEMORY, Memory, found);
  add_clock(card, ZES_FREQ_DOMAIN_MEDIA, Video, found);
  add_memory(card, found);
  add_engine(card, found);
  add_errors(card, found);
  add_fans(card, found);
  add_wedged(card, found);
  add_processes(card, found);
  add_link(card, found);
  found.identity.model = nvml->text("nvmlDeviceGetName", device);
  found.identity.serial = nvml->text("nvmlDeviceGetSerial", device);
  found.identity.board = nvml->text("nvmlDeviceGetBoardPartNumber", device);
  found.identity.driver = nvml->driver_version();
  if (const std::string version = nvml->text("nvmlDeviceGetVbiosVersion", device); !version.empty())
    found.firmwares.push_back({"VBIOS", [version] { return version; }});
}

} // namespace zeroth::sysman
