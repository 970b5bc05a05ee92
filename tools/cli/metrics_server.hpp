// Hands out a text that changes: as a file that readers never see half written, or over HTTP on a port.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace zeroth::cli {

// Written beside it and renamed. Throws Failure.
void replace_file(const std::string& path, const std::string& text);

// Answers `count` requests (0: without end) on "[HOST]:PORT" with the text of that moment. Who connects and says
// nothing, reads nothing or goes away again holds nobody up. No HOST is this machine alone. Prints the address that it
// listens on (port 0 takes a free one). Throws Failure.
int serve_metrics(const std::string& address, std::uint64_t count, const std::function<std::string()>& text);

} // namespace zeroth::cli
