#include "plugin_host/plugin.hpp"

#include <exception>
#include <string_view>

#include <fmt/format.h>

#include "plugin_host/log_watchers.hpp"
#include "sdk/log.hpp"

namespace zeroth {
namespace {

LoadedPlugin* owner(const zeroth_host* host) { return static_cast<LoadedPlugin*>(host->host_data); }

} // namespace

LoadedPlugin::LoadedPlugin(std::shared_ptr<Library> library, Identity identity)
    : library_(std::move(library)), identity_(std::move(identity)), path_(library_->path()),
      options_json_(identity_.options.to_json()),
      descriptor_(static_cast<const zeroth_plugin*>(library_->symbol(ZEROTH_PLUGIN_SYMBOL))) {
  host_.struct_size = sizeof host_;
  host_.abi_version = ZEROTH_PLUGIN_ABI_VERSION;
  host_.api_version = ZE_API_VERSION_CURRENT;
  host_.log_level = ZEROTH_LOG_WARNING; // these may be watched at any time
  for (Level level : {Level::Info, Level::Debug, Level::Trace})
    if (log_enabled(level)) host_.log_level = static_cast<zeroth_log_level>(level);
  host_.host_data = this;
  host_.name = identity_.name.c_str();
  host_.path = path_.c_str();
  host_.overlay_number = identity_.overlay_number;
  host_.options_json = options_json_.c_str();
  host_.log = log_entry;
  host_.option = option_entry;
  host_.report = report_entry;
  host_.watch_log = watch_entry;
}

LoadedPlugin::~LoadedPlugin() {
  if (watches_ && !process_is_exiting()) remove_log_watcher(this);
  if (!initialised_ || process_is_exiting() || !descriptor_->fini) return;
  try {
    descriptor_->fini(&host_);
  } catch (...) {
    log(Level::Warning, "plugin {}: fini threw an exception", identity_.name);
  }
}

const void* LoadedPlugin::find_interface(const char* name, std::uint32_t version) const noexcept {
  return descriptor_ && descriptor_->find_interface ? descriptor_->find_interface(name, version) : nullptr;
}

// Runs a call into the plugin: its code and its exceptions become a failure with the plugin's own reason, where it gave
// one.
template <class Call>
bool LoadedPlugin::guarded(Call&& call, PluginFault fault, const char* what, Library::Failure& failure) {
  {
    const std::lock_guard lock(report_mutex_);
    reported_reason_.clear();
    reported_advice_.clear();
  }
  std::string text;
  try {
    const ze_result_t result = call();
    if (result == ZE_RESULT_SUCCESS) return true;
    text = fmt::format("its {} returned 0x{:x}", what, static_cast<unsigned>(result));
  } catch (const std::exception& error) {
    fault = fault == PluginFault::InitFailed ? PluginFault::InitThrew : fault;
    text = fmt::format("its {} threw an exception: {}", what, error.what());
  } catch (...) {
    fault = fault == PluginFault::InitFailed ? PluginFault::InitThrew : fault;
    text = fmt::format("its {} threw an exception", what);
  }
  const std::lock_guard lock(report_mutex_);
  if (!reported_reason_.empty()) text = fmt::format("{} ({})", reported_reason_, text);
  failure = {fault, text, reported_advice_};
  return false;
}

bool LoadedPlugin::initialise(Library::Failure& failure) {
  if (!descriptor_ || !descriptor_->init) return initialised_ = descriptor_ != nullptr, true;
  set_starts(true);
  initialised_ = guarded([&] { return descriptor_->init(&host_); }, PluginFault::InitFailed, "init", failure);
  set_starts(false);
  return initialised_;
}

void LoadedPlugin::set_starts(bool starts) {
  const std::lock_guard lock(report_mutex_);
  starts_ = starts;
}

std::vector<std::string> LoadedPlugin::warnings_of_start() const {
  const std::lock_guard lock(report_mutex_);
  return warnings_;
}

void LoadedPlugin::keep_warning(std::string_view text) noexcept try {
  const std::lock_guard lock(report_mutex_);
  if (starts_) warnings_.emplace_back(text);
} catch (...) { // the line is in the log
}

bool LoadedPlugin::apply(const zeroth_overlay_target& target, Library::Failure& failure) {
  if (!descriptor_ || !descriptor_->apply) return true;
  return guarded([&] { return descriptor_->apply(&host_, &target); }, PluginFault::ApplyFailed, "apply", failure);
}

void LoadedPlugin::log_entry(const zeroth_host* host, zeroth_log_level level, const char* text, std::size_t size) {
  if (level <= ZEROTH_LOG_WARNING) owner(host)->keep_warning({text, size});
  log(static_cast<Level>(level), "{}: {}", owner(host)->identity_.name, std::string_view(text, size));
}

void LoadedPlugin::watch_entry(const zeroth_host* host, zeroth_log_level most,
                               void (*line)(void*, zeroth_log_level, const char*, std::size_t), void* context) {
  owner(host)->watches_ = true;
  set_log_watcher_of({owner(host), most, line, context});
}

const char* LoadedPlugin::option_entry(const zeroth_host* host, const char* key) {
  const Tree* value = key && *key ? owner(host)->identity_.options.at_path(key) : nullptr;
  return value && !any_of(value->type, Type::List | Type::Map | Type::Null) ? value->text.c_str() : nullptr;
}

void LoadedPlugin::report_entry(const zeroth_host* host, const char* reason, const char* advice) {
  LoadedPlugin& plugin = *owner(host);
  const std::lock_guard lock(plugin.report_mutex_);
  plugin.reported_reason_ = reason ? reason : "";
  plugin.reported_advice_ = advice ? advice : "";
}

} // namespace zeroth
