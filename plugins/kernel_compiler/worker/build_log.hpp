// Where a compile says what it does and why it fails. Text is delivered at once, so that it survives a crash.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace zeroth::compiler {

class BuildLog {
public:
  virtual ~BuildLog() = default;
  virtual void write(std::string_view text) = 0;
  // The same with a line end if `text` lacks one.
  void line(std::string_view text) {
    write(text);
    if (!text.ends_with('\n')) write("\n");
  }
};

// The input cannot be built. The reason is in the exception, not yet in the log.
struct BuildError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace zeroth::compiler
