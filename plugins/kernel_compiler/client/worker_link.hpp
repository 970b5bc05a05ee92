// The client's side of one worker program: started on first need, started again when it is gone, shared by threads.
#pragma once

#include "descriptor.hpp"
#include "kernel_compiler.hpp"

#include <mutex>

namespace zeroth::compiler {

// What one compile came to: either the finished file or the reason for none.
struct CompileReply {
  std::vector<std::byte> file;
  Descriptor descriptor; // of `file`, for loading without another copy
  std::string log;
  bool failed = false;
};

class WorkerLink {
public:
  WorkerLink(std::string path, uint32_t processes) : path_(std::move(path)), processes_(processes) {}

  // Sends an encoded request and waits for its end. Tries again when the worker was killed from outside. Throws
  // CompileError (Unavailable) when no worker can be started.
  CompileReply compile(Bytes request, std::chrono::milliseconds limit);

private:
  CompileReply attempt(Bytes request, std::chrono::milliseconds limit, bool& lost);
  // A control socket that this process owns, starting the worker if there is none.
  void submit(int request_file, int reply_socket);
  void start();

  const std::string path_;
  const uint32_t processes_;
  Descriptor control_;    // guarded by the link lock
  int owner_process_ = 0; // guarded by the link lock: after fork() the child must not share the parent's worker
};

// $ZEROTH_KERNELC, else the program beside the shared object that holds this code: ../bin, ../../bin,
// ../libexec/zeroth, ../../libexec/zeroth, or its own folder. "" if there is none. `library_path` is that shared
// object's file; where it is empty the dynamic loader is asked, which knows no folder of one that was loaded from a
// private copy.
std::string find_worker_program(const std::string& library_path);

} // namespace zeroth::compiler
