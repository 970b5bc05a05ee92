// Where compiles are done: the worker program (worker_link.hpp) or a library in this process (in_process.hpp).
#pragma once

#include "descriptor.hpp"
#include "kernel_compiler.hpp"

namespace zeroth::compiler {

using Deadline = std::chrono::steady_clock::time_point;

// What one compile came to: either the finished file or the reason for none.
struct CompileReply {
  std::vector<std::byte> file;
  Descriptor descriptor; // of `file`, for loading without another copy; may be empty
  std::string log;
  bool failed = false;
};

// A compile under way. One thread at a time, but for cancel().
class PendingCompile {
public:
  virtual ~PendingCompile() = default;
  // Waits for the end of the compile, until `deadline` at the latest; true when it has ended. Throws CompileError
  // (Unavailable).
  virtual bool wait(Deadline deadline) = 0;
  // After wait() has returned true; once.
  virtual CompileReply take() = 0;
  // Becomes readable when wait() could get on; -1: only waiting helps.
  virtual int readable() const { return -1; }
  // From any thread: a wait() ends soon, with a failure.
  virtual void cancel() noexcept {}
};

class Backend {
public:
  virtual ~Backend() = default;
  // Begins a compile of an encoded request. Throws CompileError (Unavailable).
  virtual std::unique_ptr<PendingCompile> start(std::vector<std::byte> request, std::chrono::milliseconds limit) = 0;
  // Do compiles go on while nobody waits for them, and how many side by side?
  virtual uint32_t processes() const = 0;
};

} // namespace zeroth::compiler
