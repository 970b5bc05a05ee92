#include "plugin_host/log_watchers.hpp"

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "sdk/log.hpp"

namespace zeroth {
namespace {

struct Watchers {
  std::shared_mutex mutex; // guards what follows
  std::vector<LogWatcher> all;
};

// Never freed: threads may log until the process is gone.
Watchers& watchers() {
  static Watchers& only = *new Watchers;
  return only;
}

void show(void*, Level level, std::string_view text) noexcept {
  const std::shared_lock lock(watchers().mutex);
  for (const LogWatcher& watcher : watchers().all)
    if (static_cast<zeroth_log_level>(level) <= watcher.most)
      watcher.line(watcher.context, static_cast<zeroth_log_level>(level), text.data(), text.size());
}

// The log keeps its watcher by address, so there is one for each level.
void install(Watchers& mine) {
  zeroth_log_level most = ZEROTH_LOG_OFF;
  for (const LogWatcher& watcher : mine.all) most = std::max(most, watcher.most);
  static const LogSink sinks[] = {{Level::Error, show, nullptr},
                                  {Level::Warning, show, nullptr},
                                  {Level::Info, show, nullptr},
                                  {Level::Debug, show, nullptr},
                                  {Level::Trace, show, nullptr}};
  set_log_watcher(most > ZEROTH_LOG_OFF ? &sinks[std::min<zeroth_log_level>(most, ZEROTH_LOG_TRACE) - 1] : nullptr);
}

void erase(Watchers& mine, const void* owner) {
  std::erase_if(mine.all, [&](const LogWatcher& one) { return one.owner == owner; });
}

} // namespace

void set_log_watcher_of(const LogWatcher& watcher) {
  Watchers& mine = watchers();
  const std::unique_lock lock(mine.mutex);
  erase(mine, watcher.owner);
  if (watcher.line && watcher.most > ZEROTH_LOG_OFF) mine.all.push_back(watcher);
  install(mine);
}

void remove_log_watcher(const void* owner) { set_log_watcher_of({owner}); }

} // namespace zeroth
