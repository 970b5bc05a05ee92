// The client's side of one worker program: started on first need, started again when it is gone, shared by threads.
#pragma once

#include "backend.hpp"

#include <mutex>

namespace zeroth::compiler {

class WorkerLink final : public Backend {
public:
  WorkerLink(std::string path, uint32_t processes) : path_(std::move(path)), processes_(processes) {}

  // Tries again when the worker was killed from outside.
  std::unique_ptr<PendingCompile> start(std::vector<std::byte> request, std::chrono::milliseconds limit) override;
  uint32_t processes() const override { return processes_; }

  // Sends a request; returns our end of the socket pair on which the answer comes. Throws CompileError (Unavailable).
  Descriptor submit(Bytes request);

private:
  void send(int request_file, int reply_socket);
  void start_worker();

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
