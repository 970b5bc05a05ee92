// Plugins that asked to see the process's log (zeroth_host::watch_log).
//
// Any thread. Watchers are called with a shared lock held, so that none is called once remove_log_watcher has returned.
#pragma once

#include <sdk/zeroth_plugin.h>

namespace zeroth {

struct LogWatcher {
  const void* owner = nullptr; // one watcher for each
  zeroth_log_level most = ZEROTH_LOG_OFF;
  void (*line)(void* context, zeroth_log_level level, const char* text, size_t size) = nullptr;
  void* context = nullptr;
};

void set_log_watcher_of(const LogWatcher& watcher);
void remove_log_watcher(const void* owner);

} // namespace zeroth
