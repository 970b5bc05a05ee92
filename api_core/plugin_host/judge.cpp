#include "plugin_host/judge.hpp"

#include <fmt/format.h>

#include "sdk/zeroth_plugin.h"

namespace zeroth {
namespace {

// The oldest ABI that is served, and how long its descriptor is.
constexpr std::uint32_t oldest_abi = 1;
constexpr std::uint32_t shortest_descriptor = sizeof(zeroth_plugin);

bool is_overlay(std::uint32_t kind) { return kind == ZEROTH_PLUGIN_OVERLAY || kind == ZEROTH_PLUGIN_SYSMAN_OVERLAY; }

const char* kind_name(std::uint32_t kind) {
  return kind == ZEROTH_PLUGIN_DEVICE ? "a device" : is_overlay(kind) ? "an overlay" : "of an unknown kind";
}

bool judge_file(const ElfProbe& probe, Library::Failure& failure) {
  switch (probe.kind) {
  case ElfKind::Shared:
    return true;
  case ElfKind::Unreadable:
    failure = {PluginFault::LoadFailed, "it cannot be read: " + probe.detail, "check its permissions"};
    break;
  case ElfKind::OtherMachine:
    failure = {PluginFault::OtherArchitecture, probe.detail, "install the plugin for this processor"};
    break;
  case ElfKind::NotElf:
  case ElfKind::NotShared:
  case ElfKind::Damaged:
    failure = {PluginFault::NotElf, probe.detail, "install the plugin again"};
    break;
  }
  return false;
}

bool judge_abi(std::uint32_t abi, std::uint32_t size, Library::Failure& failure) {
  if (abi < oldest_abi)
    failure = {PluginFault::OldAbi,
               fmt::format("it is built for plugin ABI {}, this core serves {} to {}", abi, oldest_abi,
                           ZEROTH_PLUGIN_ABI_VERSION),
               "build or install it for this version of Zeroth"};
  else if (abi > ZEROTH_PLUGIN_ABI_VERSION)
    failure = {PluginFault::NewAbi,
               fmt::format("it is built for plugin ABI {}, this core serves up to {}", abi, ZEROTH_PLUGIN_ABI_VERSION),
               "update Zeroth"};
  else if (size < shortest_descriptor)
    failure = {PluginFault::CutShort,
               fmt::format("its descriptor has {} bytes, ABI {} needs {}", size, abi, shortest_descriptor),
               "ask its maker: struct_size must be sizeof(zeroth_plugin)"};
  else
    return true;
  return false;
}

bool judge_kind(std::uint32_t kind, std::uint32_t api, Wanted wanted, Library::Failure& failure) {
  const std::uint32_t needed = wanted == Wanted::Overlay ? ZEROTH_PLUGIN_OVERLAY : ZEROTH_PLUGIN_DEVICE;
  if (wanted == Wanted::Overlay ? !is_overlay(kind) : kind != needed) {
    failure = {PluginFault::WrongKind, fmt::format("it is {}, not {}", kind_name(kind), kind_name(needed)),
               fmt::format("list it under `{}`", is_overlay(kind) ? "overlays" : "drivers")};
    return false;
  }
  // A device fills what its getters are asked for; an overlay would write slots that this core's tables do not have.
  if (is_overlay(kind) && api > ZE_API_VERSION_CURRENT) {
    failure = {PluginFault::NewerApi,
               fmt::format("it is built for API {}.{}, this core has {}.{}", api >> 16, api & 0xffff,
                           ZE_API_VERSION_CURRENT >> 16, ZE_API_VERSION_CURRENT & 0xffff),
               "update Zeroth, or build the overlay for this version"};
    return false;
  }
  return true;
}

} // namespace

bool judge(const ElfProbe& probe, Wanted wanted, Library::Failure& failure) {
  if (!judge_file(probe, failure)) return false;
  if (probe.descriptor) {
    const auto [abi, size, kind, api] = *probe.descriptor;
    return judge_abi(abi, size, failure) && judge_kind(kind, api, wanted, failure);
  }
  if (wanted == Wanted::AnyDriver && probe.exports_driver) return true;
  const bool foreign = probe.exports_driver && wanted == Wanted::Device;
  failure = {PluginFault::SymbolMissing, fmt::format("it does not export {}", ZEROTH_PLUGIN_SYMBOL),
             foreign ? "it is another maker's driver: name it with `library` instead of `plugin`"
                     : "name a Zeroth plugin"};
  return false;
}

} // namespace zeroth
