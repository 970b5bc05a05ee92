// Cooperative launches: all groups run at once, each on a thread of its own, so that they may wait for each other. Two
// such launches could each hold threads that the other needs, so they take turns, in the order in which they begin.
#pragma once
#include "launch.hpp"

namespace zeroth::cpu {

class CooperativeCommand final : public Command, private Continuation, private Runnable {
public:
  CooperativeCommand(KernelCode& code, const zeroth_launch& launch, const LaunchShape& shape)
      : launch_(code, launch, shape) {}

  Step start(Worker& worker, Continuation& owner) override;

private:
  struct Turns;
  static Turns& turns();

  Step begin(Worker& worker);
  void run(Worker& worker) override; // our turn has come
  void command_done(Worker* worker) override;
  static void end_turn();

  LaunchCommand launch_;
  Continuation* owner_ = nullptr;
  Executor* executor_ = nullptr; // of its own device: who ends a turn may be of another
};

} // namespace zeroth::cpu
