// For plugin authors in C++: the descriptor in a few lines, and an init that may throw.
//
//     void start(const zeroth_host* host) { threads = Options(host).integer("threads", 4); }
//
//     ZEROTH_PLUGIN_EXPORT constinit const zeroth_plugin zeroth_plugin_descriptor = zeroth::device_plugin(
//         {.name = "echo", .version = "1.0.0", .description = "…", .options = options, .init =
//         zeroth::starting<start>});
#pragma once

#include <cstdint>
#include <span>

#include "error.hpp"
#include "log.hpp"
#include "zeroth_plugin.h"

namespace zeroth {

// What a plugin says of itself; see zeroth_plugin for each. All that is pointed at must be constant data.
struct PluginFacts {
  const char* name = nullptr;
  const char* version = nullptr;
  const char* description = nullptr;
  std::span<const char* const> provides = {};
  std::span<const zeroth_option> options = {};
  ze_result_t (*init)(const zeroth_host*) = nullptr;
  void (*fini)(const zeroth_host*) = nullptr;
  const void* (*find_interface)(const char* name, std::uint32_t version) = nullptr;
  ze_result_t (*apply)(const zeroth_host*, const zeroth_overlay_target*) = nullptr;
};

namespace detail {
constexpr zeroth_plugin describe(std::uint32_t kind, const PluginFacts& facts) {
  return {ZEROTH_PLUGIN_ABI_VERSION,
          sizeof(zeroth_plugin),
          kind,
          ZE_API_VERSION_CURRENT,
          facts.name,
          facts.version,
          facts.description,
          facts.provides.data(),
          static_cast<std::uint32_t>(facts.provides.size()),
          static_cast<std::uint32_t>(facts.options.size()),
          facts.options.data(),
          facts.init,
          facts.fini,
          facts.find_interface,
          facts.apply};
}

// Runs a function of a plugin that may throw; its text becomes the reason that the host shows.
template <class Call> ze_result_t reported(const zeroth_host* host, Call&& call) noexcept {
  try {
    call();
    return ZE_RESULT_SUCCESS;
  } catch (...) {
    const ze_result_t result = record_current_exception(nullptr);
    host->report(host, last_error::text(), nullptr);
    return result;
  }
}
} // namespace detail

constexpr zeroth_plugin device_plugin(const PluginFacts& facts) {
  return detail::describe(ZEROTH_PLUGIN_DEVICE, facts);
}
constexpr zeroth_plugin overlay_plugin(const PluginFacts& facts) {
  return detail::describe(ZEROTH_PLUGIN_OVERLAY, facts);
}
constexpr zeroth_plugin sysman_overlay_plugin(const PluginFacts& facts) {
  return detail::describe(ZEROTH_PLUGIN_SYSMAN_OVERLAY, facts);
}

// An init that sends the log to the host and runs `Start`, which may throw.
template <void (*Start)(const zeroth_host*)> ze_result_t starting(const zeroth_host* host) noexcept {
  use_host_log(host);
  return detail::reported(host, [&] { Start(host); });
}

// An apply that runs `Apply`, which may throw.
template <void (*Apply)(const zeroth_overlay_target&)>
ze_result_t applying(const zeroth_host* host, const zeroth_overlay_target* target) noexcept {
  return detail::reported(host, [&] { Apply(*target); });
}

} // namespace zeroth
