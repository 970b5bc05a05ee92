// The process that compiles: serves requests one after the other until its socket ends or it is told to by its size.
#pragma once

#include <cstddef>
#include <string>

namespace zeroth::compiler {

// What the dispatcher and a compile process say on their private socket: the client's message, descriptors included,
// one way; one byte when the answer has been sent, the other way.
inline constexpr std::byte unwanted_message{'P'}; // with the finished file that the client would not take
[[noreturn]] void run_compile_process(int socket, const std::string& compiler_id);

} // namespace zeroth::compiler
