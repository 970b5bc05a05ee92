// What a host thread waits for while it helps to execute: it begins no command beyond that. Such a command may be a
// kernel that polls a word which the program writes once this very wait is over, and one that only takes long would
// make the wait late.
//
// In order, what is needed is what comes before the goal. Out of order nobody knows what the goal depends on, so a
// helper takes the commands that signal the event it waits for, and those that take no time; workers take the others.
#pragma once
#include "epochs.hpp"
#include "wait_point.hpp"

#include <cstdint>

namespace zeroth::cpu {

struct EventCell;

struct Goal {
  const WaitPoint* point = nullptr; // done when it has passed; null: with the command `last`, or with `all`
  const EventCell* event = nullptr; // whose signal is awaited; null: all up to the command `last` is
  std::uint64_t last = 0;           // number of the flow's command that reaches the goal, or of the list that does
  Epochs::Wait* all = nullptr;      // out of order: the end of all that there was

  bool reached() const { return (point && point->passed()) || (all && all->missing() == 0); }
};

} // namespace zeroth::cpu
