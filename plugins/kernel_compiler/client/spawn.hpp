// Starts a program as a stranger: not our child. Host programs install SIGCHLD handlers, wait for any child, or ignore
// children altogether; none of them must ever see the worker. No page of the host is copied either, however big it is.
#pragma once

namespace zeroth::compiler {

// Runs `path` with `control` as descriptor 3, /dev/null as 0 to 2, an empty environment and its own session; every
// other descriptor that is not close-on-exec stays open and is the program's to close. Returns 0 or an errno value.
int spawn_detached(const char* path, int control);

} // namespace zeroth::compiler
