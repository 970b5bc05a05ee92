// What became of one configured plugin: the log line, and what `zeroth doctor` shows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace zeroth {

enum class PluginState : std::uint8_t {
  Loaded,   // serves
  Disabled, // the configuration leaves it out
  Absent,   // optional, and its file is not there
  Failed,   // should serve and cannot: see fault and reason
};

enum class PluginFault : std::uint8_t {
  None,
  NotFound,
  NotElf,            // no ELF file, or a damaged one
  OtherArchitecture, // for another processor or word size
  SymbolMissing,     // neither a Zeroth plugin nor a Level Zero driver, or it needs a symbol that nobody has
  DependencyMissing, // a library that it needs is not there
  OldAbi,            // built for a plugin ABI that is no longer served
  NewAbi,            // built for a later plugin ABI
  CutShort,          // its descriptor is shorter than its ABI version says, or its file ends early
  WrongKind,         // an overlay where a device is needed, or the other way round
  NewerApi,          // an overlay built for a later API than this core's tables have
  InitFailed,
  InitThrew,
  ApplyFailed, // an overlay that refused a driver
  NoDevices,
  Untrusted,  // others may write it, and the process is privileged
  LoadFailed, // anything else that the system's loader said
};

// An option that a plugin says it understands.
struct PluginOption {
  std::string name;
  std::string type;
  std::string default_text;
  std::string help;
};

struct PluginReport {
  std::string name; // as the configuration has it
  std::string kind; // "device", "overlay", "driver" (another maker's)
  std::string path; // of its file; empty when it was not found
  std::string version;
  PluginState state = PluginState::Loaded;
  PluginFault fault = PluginFault::None;
  std::string reason;                // why it does not serve
  std::string advice;                // what the user can do
  std::vector<std::string> notes;    // what else is odd, such as options that it does not know
  std::vector<std::string> warnings; // what it said itself while it started
  std::vector<PluginOption> options;
};

const char* to_string(PluginState state) noexcept;
const char* to_string(PluginFault fault) noexcept;

// The one line for the log: "overlay count: not loaded (old-abi): … ; try: …".
std::string log_line(const PluginReport& report);

// Why it does not serve as the configuration wants it: the fault, or the first option that was not taken. "" when it
// does, and for what may be missing or is left out.
std::string shortcoming(const PluginReport& report);

} // namespace zeroth
