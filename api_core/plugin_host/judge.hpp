// Does a plugin fit this core? Decided from facts of its file alone, before it is loaded.
#pragma once

#include "plugin_host/elf_probe.hpp"
#include "plugin_host/library.hpp"

namespace zeroth {

enum class Wanted : std::uint8_t { Device, Overlay, AnyDriver };

// True when it fits; else `failure` says why and what to do.
bool judge(const ElfProbe& probe, Wanted wanted, Library::Failure& failure);

} // namespace zeroth
