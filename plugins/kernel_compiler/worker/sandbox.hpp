// Takes from a compile process what compiling never needs, so that input that takes it over gains nothing.
#pragma once

namespace zeroth::compiler {

// From here on: no network, no new programs, no signals to others, no file opened for writing, created, renamed or
// removed. By seccomp, and by Landlock where the kernel has it; returns false if neither is there. Not undone.
bool enter_sandbox();

} // namespace zeroth::compiler
