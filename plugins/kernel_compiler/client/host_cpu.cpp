#include "host_cpu.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace zeroth::compiler {
namespace {

#if defined(__x86_64__)

enum Register : uint8_t { Eax, Ebx, Ecx, Edx };
// What the operating system must save for the feature to be usable.
enum class Needs : uint8_t { Nothing, Avx, Avx512 };

struct Feature {
  const char* name;
  uint32_t leaf, subleaf;
  Register reg;
  uint8_t bit;
  Needs needs;
};

constexpr uint32_t extended = 0x80000001;
constexpr Feature features[] = {
    {"sse3", 1, 0, Ecx, 0, Needs::Nothing},
    {"pclmul", 1, 0, Ecx, 1, Needs::Nothing},
    {"ssse3", 1, 0, Ecx, 9, Needs::Nothing},
    {"fma", 1, 0, Ecx, 12, Needs::Avx},
    {"cx16", 1, 0, Ecx, 13, Needs::Nothing},
    {"sse4.1", 1, 0, Ecx, 19, Needs::Nothing},
    {"sse4.2", 1, 0, Ecx, 20, Needs::Nothing},
    {"movbe", 1, 0, Ecx, 22, Needs::Nothing},
    {"popcnt", 1, 0, Ecx, 23, Needs::Nothing},
    {"aes", 1, 0, Ecx, 25, Needs::Nothing},
    {"avx", 1, 0, Ecx, 28, Needs::Avx},
    {"f16c", 1, 0, Ecx, 29, Needs::Avx},
    {"fsgsbase", 7, 0, Ebx, 0, Needs::Nothing},
    {"bmi", 7, 0, Ebx, 3, Needs::Nothing},
    {"avx2", 7, 0, Ebx, 5, Needs::Avx},
    {"bmi2", 7, 0, Ebx, 8, Needs::Nothing},
    {"avx512f", 7, 0, Ebx, 16, Needs::Avx512},
    {"avx512dq", 7, 0, Ebx, 17, Needs::Avx512},
    {"adx", 7, 0, Ebx, 19, Needs::Nothing},
    {"avx512ifma", 7, 0, Ebx, 21, Needs::Avx512},
    {"avx512cd", 7, 0, Ebx, 28, Needs::Avx512},
    {"sha", 7, 0, Ebx, 29, Needs::Nothing},
    {"avx512bw", 7, 0, Ebx, 30, Needs::Avx512},
    {"avx512vl", 7, 0, Ebx, 31, Needs::Avx512},
    {"avx512vbmi", 7, 0, Ecx, 1, Needs::Avx512},
    {"avx512vbmi2", 7, 0, Ecx, 6, Needs::Avx512},
    {"gfni", 7, 0, Ecx, 8, Needs::Nothing},
    {"vaes", 7, 0, Ecx, 9, Needs::Avx},
    {"vpclmulqdq", 7, 0, Ecx, 10, Needs::Avx},
    {"avx512vnni", 7, 0, Ecx, 11, Needs::Avx512},
    {"avx512bitalg", 7, 0, Ecx, 12, Needs::Avx512},
    {"avx512vpopcntdq", 7, 0, Ecx, 14, Needs::Avx512},
    {"avx512vp2intersect", 7, 0, Edx, 8, Needs::Avx512},
    {"avx512fp16", 7, 0, Edx, 23, Needs::Avx512},
    {"avxvnni", 7, 1, Eax, 4, Needs::Avx},
    {"avx512bf16", 7, 1, Eax, 5, Needs::Avx512},
    {"avxifma", 7, 1, Eax, 23, Needs::Avx},
    {"sahf", extended, 0, Ecx, 0, Needs::Nothing},
    {"lzcnt", extended, 0, Ecx, 5, Needs::Nothing},
    {"sse4a", extended, 0, Ecx, 6, Needs::Nothing},
    {"prfchw", extended, 0, Ecx, 8, Needs::Nothing},
    // Never used by us: written out so that the list, and with it the code, is the same on every machine.
    {"xop", extended, 0, Ecx, 11, Needs::Avx},
    {"fma4", extended, 0, Ecx, 16, Needs::Avx},
    {"tbm", extended, 0, Ecx, 21, Needs::Nothing},
};

uint64_t enabled_state() {
  unsigned eax, ebx, ecx, edx;
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & (1u << 27))) return 0;
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t{high} << 32 | low;
}

bool state_allows(Needs needs) {
  static const uint64_t state = enabled_state();
  constexpr uint64_t avx = 0x6, avx512 = 0xe6;
  if (needs == Needs::Nothing) return true;
  const uint64_t mask = needs == Needs::Avx ? avx : avx512;
  return (state & mask) == mask;
}

// Which of the features a level leaves.
bool level_allows(std::string_view level, const Feature& feature) {
  return feature.needs == Needs::Nothing || (feature.needs == Needs::Avx ? level != "sse" : level == "avx512");
}

bool has(const Feature& feature) {
  unsigned regs[4] = {};
  if (!__get_cpuid_count(feature.leaf, feature.subleaf, &regs[0], &regs[1], &regs[2], &regs[3])) return false;
  return (regs[feature.reg] >> feature.bit & 1) && state_allows(feature.needs);
}

#else

struct Feature {
  const char* name;
};
constexpr Feature features[] = {{"neon"}};
bool level_allows(std::string_view, const Feature&) { return true; }
bool has(const Feature&) { return true; }

#endif

} // namespace

std::optional<CpuTarget> detect_host_cpu(std::string_view level) {
  if (level.empty()) level = "avx512";
  if (level != "sse" && level != "avx2" && level != "avx512") return std::nullopt;
  CpuTarget cpu{"native", ""};
  for (const Feature& feature : features) {
    if (!cpu.features.empty()) cpu.features += ',';
    cpu.features += has(feature) && level_allows(level, feature) ? '+' : '-';
    cpu.features += feature.name;
  }
  return cpu;
}

std::string missing_feature(std::string_view list) {
  while (!list.empty()) {
    const auto item = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), item.size() + 1));
    if (!item.starts_with('+')) continue;
    bool found = false;
    for (const Feature& feature : features) found = found || (item.substr(1) == feature.name && has(feature));
    if (!found) return std::string(item.substr(1));
  }
  return "";
}

const CpuTarget& Compiler::host_cpu() {
  static const CpuTarget cpu = *detect_host_cpu();
  return cpu;
}

} // namespace zeroth::compiler
