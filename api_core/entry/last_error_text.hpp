// The text behind zerGetLastErrorDescription: why the last call of this thread failed, whoever it failed in.
//
// The core and each plugin keep a text of their own per thread. A driver's text is newer than the core's when it is
// another one than it was when the core failed.
#pragma once

namespace zeroth::entry {

// For the C edge: the core itself has just set this thread's text.
void core_failed() noexcept;

// "" when no call has failed. Valid until the thread's next error.
const char* last_error_text();

} // namespace zeroth::entry
