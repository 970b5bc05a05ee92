// What the kernel's notices said about devices, beyond that something happened: which GPUs their drivers gave up. They
// are heard while somebody listens for events; a GPU is well again once it was removed, or its driver bound anew.
//
// Any thread.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace zeroth::sysman {

class Notices {
public:
  // One message of the kernel.
  void take(std::string_view message);
  bool is_wedged(const std::string& pci) const;

private:
  mutable std::mutex mutex_; // guards the set
  std::set<std::string, std::less<>> wedged_;
};

// The process's.
Notices& notices();

} // namespace zeroth::sysman
