// The core's answer to a call that no driver implements: one line in the log, the first time.
#include <sdk/log.hpp>
#include <zeroth/api/refuse.hpp>

namespace zeroth {

void note_unsupported(const char* function) noexcept {
  log(Level::Info, "{} is not supported by the driver", function);
}

} // namespace zeroth
