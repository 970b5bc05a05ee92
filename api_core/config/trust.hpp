// May a privileged process act on this file?
#pragma once

#include <string>

namespace zeroth {

// True when the process runs with more rights than its user (setuid, setgid, capabilities): its environment is not to
// be trusted.
bool process_is_privileged() noexcept;

// Empty when nobody but root and the process's own effective user may change what `path` names; else the reason.
// Looks at the file and at every folder above it, through symbolic links.
std::string untrusted_reason(const std::string& path);

} // namespace zeroth
