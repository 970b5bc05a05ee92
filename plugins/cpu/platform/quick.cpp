#include "quick.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <string_view>
#include <thread>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <cstring>
#endif

namespace zeroth::cpu {

namespace {

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string trimmed(std::string text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  const auto start = text.find_first_not_of(" \t");
  return start == std::string::npos ? "" : text.substr(start);
}

// "0-3,8" → 5.
std::uint32_t count_of_list(const std::string& list) {
  std::uint32_t count = 0;
  for (const char* at = list.c_str(); *at;) {
    char* end = nullptr;
    const long first = std::strtol(at, &end, 10);
    if (end == at) break;
    long last = first;
    if (*end == '-') last = std::strtol(end + 1, &end, 10);
    count += static_cast<std::uint32_t>(std::max(last - first + 1, 1L));
    at = *end == ',' ? end + 1 : end;
  }
  return count;
}

// Value of a "key : value" line of /proc/cpuinfo or /proc/meminfo.
std::string entry_of(const char* path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (std::string_view(line).substr(0, key.size()) == key)
      if (const auto colon = line.find(':'); colon != std::string::npos) return trimmed(line.substr(colon + 1));
  return "";
}

std::uint64_t kibibytes_of(std::string_view key) {
  return std::strtoull(entry_of("/proc/meminfo", key).c_str(), nullptr, 10) << 10;
}

#if defined(__x86_64__)
void read_identity(QuickFacts& facts) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  char vendor[13] = {};
  __get_cpuid(0, &a, &b, &c, &d);
  std::memcpy(vendor, &b, 4), std::memcpy(vendor + 4, &d, 4), std::memcpy(vendor + 8, &c, 4);
  const std::string_view maker = vendor;
  facts.vendor_id = maker == "GenuineIntel" ? 0x8086 : maker == "AuthenticAMD" ? 0x1022 : 0;
  __get_cpuid(1, &a, &b, &c, &d);
  facts.device_id = a;
  char brand[49] = {};
  for (unsigned leaf = 0; leaf < 3; ++leaf) {
    unsigned words[4] = {};
    __get_cpuid(0x80000002 + leaf, &words[0], &words[1], &words[2], &words[3]);
    std::memcpy(brand + 16 * leaf, words, sizeof words);
  }
  facts.name = trimmed(brand);
  facts.simd_bits = __builtin_cpu_supports("avx512f") ? 512 : __builtin_cpu_supports("avx2") ? 256 : 128;
}
#else
void read_identity(QuickFacts& facts) {
  facts.name = entry_of("/proc/cpuinfo", "model name");
  facts.vendor_id = 0x13b5;
}
#endif

std::uint32_t read_clock() {
  const std::string kilohertz = first_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  if (!kilohertz.empty()) return static_cast<std::uint32_t>(std::strtoull(kilohertz.c_str(), nullptr, 10) / 1000);
  return static_cast<std::uint32_t>(std::strtod(entry_of("/proc/cpuinfo", "cpu MHz").c_str(), nullptr));
}

std::uint64_t fnv1a(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

} // namespace

QuickFacts read_quick_facts() {
  QuickFacts facts;
  read_identity(facts);
  if (facts.name.empty()) facts.name = "CPU";
  facts.clock_mhz = read_clock();
  cpu_set_t set;
  const bool known = sched_getaffinity(0, sizeof set, &set) == 0;
  const auto logical = static_cast<std::uint32_t>(known ? CPU_COUNT(&set) : std::thread::hardware_concurrency());
  const std::string topology = "/sys/devices/system/cpu/cpu0/topology/";
  const std::uint32_t siblings = std::max(count_of_list(first_line((topology + "thread_siblings_list").c_str())), 1u);
  const std::uint32_t in_package = std::max(count_of_list(first_line((topology + "core_siblings_list").c_str())), 1u);
  facts.threads_per_core = logical % siblings == 0 ? siblings : 1;
  facts.cores = std::max(logical / facts.threads_per_core, 1u);
  const std::uint32_t packages = std::max(logical / in_package, 1u);
  facts.packages = facts.cores % packages == 0 ? packages : 1;
  facts.memory_bytes = kibibytes_of("MemTotal");
  return facts;
}

std::uint64_t available_memory() { return kibibytes_of("MemAvailable"); }

std::array<std::uint8_t, 16> stable_uuid(const QuickFacts& facts, std::uint32_t device, std::uint32_t sub_device) {
  const std::string machine = first_line("/etc/machine-id");
  const std::string text = machine + '/' + facts.name + '/' + std::to_string(device) + '/' + std::to_string(sub_device);
  const std::uint64_t halves[2] = {fnv1a(text, 0xcbf29ce484222325), fnv1a(text, 0x84222325cbf29ce4)};
  std::array<std::uint8_t, 16> uuid{};
  for (unsigned i = 0; i < 16; ++i) uuid[i] = static_cast<std::uint8_t>(halves[i / 8] >> (i % 8 * 8));
  uuid[6] = static_cast<std::uint8_t>((uuid[6] & 0x0f) | 0x80); // version 8: made by its own rule
  uuid[8] = static_cast<std::uint8_t>((uuid[8] & 0x3f) | 0x80);
  return uuid;
}

} // namespace zeroth::cpu
