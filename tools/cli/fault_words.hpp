// While it lives, a kernel that reads or writes where it may not ends the program with words instead of silence: which
// kernel, which address. Process-wide, since kernels run on the device's threads; one at a time.
#pragma once

#include <csignal>
#include <string>

namespace zeroth::cli {

class FaultWords {
public:
  // `hint` is said after the fault itself; may be empty.
  FaultWords(const std::string& kernel, const std::string& hint);
  ~FaultWords();
  FaultWords(const FaultWords&) = delete;

private:
  struct sigaction before_[4];
};

} // namespace zeroth::cli
