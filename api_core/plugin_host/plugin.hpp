// One plugin (or another maker's driver) in the process: its library, its descriptor, and the host it was given.
//
// Ownership: shared by everyone who uses it. When the last user goes, `fini` is called and the library unloaded, but
// never once the process has begun to exit. Threading: constant after `initialise`; symbol and find_interface from any
// thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "plugin_host/library.hpp"
#include "plugin_host/report.hpp"
#include "sdk/zeroth_plugin.h"

namespace zeroth {

class LoadedPlugin {
public:
  struct Identity {
    std::string name; // of the configuration
    Tree options;
    std::uint32_t overlay_number = 0;
    std::shared_ptr<const Config> config; // holds what one of these two points at
    const DriverConfig* driver = nullptr;
    const OverlayConfig* overlay = nullptr;
  };

  LoadedPlugin(std::shared_ptr<Library> library, Identity identity);
  ~LoadedPlugin();
  LoadedPlugin(const LoadedPlugin&) = delete;
  LoadedPlugin& operator=(const LoadedPlugin&) = delete;

  const std::string& name() const { return identity_.name; }
  const std::string& path() const { return path_; }

  // Another maker's driver: no descriptor, and init is not called.
  bool foreign() const { return descriptor_ == nullptr; }
  const zeroth_plugin* descriptor() const { return descriptor_; }

  // What its functions get; lives as long as this object.
  const zeroth_host* host() const { return &host_; }

  const Tree& options() const { return identity_.options; }
  const DriverConfig* driver_config() const { return identity_.driver; }
  const OverlayConfig* overlay_config() const { return identity_.overlay; }

  void* symbol(const char* name) const noexcept { return library_->symbol(name); }

  // A capability interface of the plugin by name, at least of `version`; null when it has none.
  const void* find_interface(const char* name, std::uint32_t version) const noexcept;

  // Calls the descriptor's init. False with fault, reason and advice in `failure` when it fails or throws.
  bool initialise(Library::Failure& failure);

  // What it warned of in its init.
  std::vector<std::string> warnings_of_start() const;

  // Overlays: puts this one over a driver's tables. False with the reason in `failure`.
  bool apply(const zeroth_overlay_target& target, Library::Failure& failure);

private:
  void set_starts(bool starts);
  void keep_warning(std::string_view text) noexcept;
  static void log_entry(const zeroth_host* host, zeroth_log_level level, const char* text, std::size_t size);
  static const char* option_entry(const zeroth_host* host, const char* key);
  static void report_entry(const zeroth_host* host, const char* reason, const char* advice);
  static void watch_entry(const zeroth_host* host, zeroth_log_level most,
                          void (*line)(void*, zeroth_log_level, const char*, std::size_t), void* context);

  template <class Call> bool guarded(Call&& call, PluginFault fault, const char* what, Library::Failure& failure);

  std::shared_ptr<Library> library_;
  Identity identity_;
  std::string path_;
  std::string options_json_;
  const zeroth_plugin* descriptor_ = nullptr;
  zeroth_host host_{};
  bool initialised_ = false;
  std::atomic<bool> watches_{false}; // the log, by watch_log

  mutable std::mutex report_mutex_; // guards what follows
  bool starts_ = false;
  std::vector<std::string> warnings_;
  std::string reported_reason_;
  std::string reported_advice_;
};

} // namespace zeroth
