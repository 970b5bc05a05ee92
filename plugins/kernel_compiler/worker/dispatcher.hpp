// The worker's first process: it has everything initialised and compiles nothing itself. It hands each request to a
// process forked from it, keeps one spare so that no request waits for a fork, enforces the time limit, reports how a
// compile process died, and ends when its client does: at once, but for what the cache is to have. Such compiles go on
// to their end, with what is left of the machine; so the next process finds them.
//
//   idle --request--> busy --'D'--> idle        busy --'X'--> leaving (replaced when needed)
//   busy --time over--> killed: Died            busy --socket ends--> Died or Killed, by the exit status
//   busy --'P' and the file: nobody wanted the answer--> into the cache, still busy
#pragma once

#include "../client/descriptor.hpp"
#include "../client/protocol.hpp"

#include <chrono>
#include <deque>
#include <string>
#include <sys/types.h>
#include <vector>

namespace zeroth::compiler {

class Dispatcher {
public:
  Dispatcher(int control, std::string compiler_id);
  // Returns when the client is gone.
  void run();

private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    Descriptor request, reply;
    RequestTerms terms;
  };
  struct Process {
    pid_t pid;
    Descriptor socket;
    bool busy = false;
    bool leaving = false;
    bool over_time = false;
    Descriptor reply;   // of the current job: kept for the last word
    RequestTerms terms; // likewise
    Clock::time_point deadline = Clock::time_point::max();
  };

  bool receive_job();
  void outlive_client();
  bool has_work() const;
  void assign_jobs();
  void keep_spare();
  void start_process();
  void hear_from(Process& process);
  void bury(Process& process);
  void kill_overdue();
  int poll_timeout() const;

  Descriptor control_;
  const std::string compiler_id_;
  size_t most_processes_ = 1;
  std::deque<Job> jobs_;
  std::vector<Process> processes_;
};

} // namespace zeroth::compiler
