// A command whose work can be split among threads.
#pragma once
#include "../execute/executor.hpp"
#include "command.hpp"

namespace zeroth::cpu {

class ParallelCommand : public Command, public Job {
public:
  void ended(Worker& worker) final;

protected:
  ~ParallelCommand() = default;

  // Publishes `units` of work in pieces of `grain`, wakes `helpers` sleeping threads, and takes part. `at_once`: there
  // must be a thread for each unit.
  Step share(Worker& worker, Continuation& owner, std::uint32_t units, std::uint32_t grain, unsigned helpers,
             bool at_once = false);

private:
  Continuation* owner_ = nullptr;
};

} // namespace zeroth::cpu
