// Looks into a shared object without loading it, so that nothing of a plugin runs before it is known to fit.
//
// Every offset is checked against the file's size: any bytes give an answer. Files of this process's own class and byte
// order are read further; all others are OtherMachine.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace zeroth {

enum class ElfKind : std::uint8_t { Unreadable, NotElf, OtherMachine, NotShared, Damaged, Shared };

struct ElfProbe {
  ElfKind kind = ElfKind::Unreadable;
  std::string detail; // why it is not Shared
  // The first four words of zeroth_plugin_descriptor: abi_version, struct_size, kind, api_version. Nothing when the
  // file does not export it.
  std::optional<std::array<std::uint32_t, 4>> descriptor;
  bool exports_driver = false; // zeGetGlobalProcAddrTable or zeGetDriverProcAddrTable is there
};

ElfProbe probe_elf(const std::string& path);

} // namespace zeroth
