// The warnings that plugins log while it lives, for reports. Lines of this program's own plugin hosts alone. One object
// at a time; plugins may log on any thread.
#pragma once

#include "plugin_host/report.hpp"

#include <mutex>
#include <string>
#include <vector>

namespace zeroth::cli {

// What a plugin said while it started, without what the host has noted already.
std::vector<std::string> own_warnings(const PluginReport& report);

class Warnings {
public:
  Warnings();
  ~Warnings();
  Warnings(const Warnings&) = delete;
  Warnings& operator=(const Warnings&) = delete;

  // What this plugin said itself, once each, without its name; not what the host has noted already.
  std::vector<std::string> of(const PluginReport& report) const;

private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

} // namespace zeroth::cli
