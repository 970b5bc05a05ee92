#include "plugin_host/report.hpp"

#include <fmt/format.h>

namespace zeroth {

const char* to_string(PluginState state) noexcept {
  switch (state) {
  case PluginState::Loaded:
    return "loaded";
  case PluginState::Disabled:
    return "disabled";
  case PluginState::Absent:
    return "absent";
  case PluginState::Failed:
    return "failed";
  }
  return "unknown";
}

const char* to_string(PluginFault fault) noexcept {
  switch (fault) {
  case PluginFault::None:
    return "none";
  case PluginFault::NotFound:
    return "not-found";
  case PluginFault::NotElf:
    return "not-elf";
  case PluginFault::OtherArchitecture:
    return "other-architecture";
  case PluginFault::SymbolMissing:
    return "symbol-missing";
  case PluginFault::DependencyMissing:
    return "dependency-missing";
  case PluginFault::OldAbi:
    return "old-abi";
  case PluginFault::NewAbi:
    return "new-abi";
  case PluginFault::CutShort:
    return "cut-short";
  case PluginFault::WrongKind:
    return "wrong-kind";
  case PluginFault::NewerApi:
    return "newer-api";
  case PluginFault::InitFailed:
    return "init-failed";
  case PluginFault::InitThrew:
    return "init-threw";
  case PluginFault::ApplyFailed:
    return "apply-failed";
  case PluginFault::NoDevices:
    return "no-devices";
  case PluginFault::Untrusted:
    return "untrusted";
  case PluginFault::LoadFailed:
    return "load-failed";
  }
  return "unknown";
}

std::string log_line(const PluginReport& report) {
  const char* what = report.fault == PluginFault::ApplyFailed ? "not applied" : "not loaded";
  std::string line =
      fmt::format("{} {}: {} ({}): {}", report.kind, report.name, what, to_string(report.fault), report.reason);
  if (!report.advice.empty()) line += fmt::format("; try: {}", report.advice);
  return line;
}

std::string shortcoming(const PluginReport& report) {
  if (report.state == PluginState::Failed) return log_line(report);
  for (const auto* words : {&report.notes, &report.warnings})
    if (!words->empty()) return fmt::format("{} {}: {}", report.kind, report.name, words->front());
  return {};
}

} // namespace zeroth
