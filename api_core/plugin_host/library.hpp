// A loaded shared object (Boost.DLL underneath), and why one could not be loaded.
//
// Ownership: unloaded when the last user's reference goes, but never once the process has begun to exit, since
// then threads and destructors of others may still be inside.
#pragma once

#include <memory>
#include <string>

#include "plugin_host/report.hpp"

namespace zeroth {

class Library {
public:
  struct Failure {
    PluginFault fault = PluginFault::LoadFailed;
    std::string reason;
    std::string advice;
  };

  // Loads `file`, a path, or a name without a slash for the system's search. Null on failure. A `private_copy` is a
  // second instance with globals of its own, even when the file is loaded already.
  static std::shared_ptr<Library> load(const std::string& file, bool private_copy, Failure& failure);

  virtual ~Library() = default;
  virtual void* symbol(const char* name) const noexcept = 0; // null when absent
  virtual std::string path() const = 0;                      // where the system found it
};

// True once the process has begun to run its exit handlers.
bool process_is_exiting() noexcept;

} // namespace zeroth
