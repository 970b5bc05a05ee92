// Waits of a recorded list for signals of other recorded lists. Such a wait is for a signal of the execution that was
// submitted last when this list is submitted, so each submission looks its number up anew.
//
// Threads: as the list.
#pragma once
#include "../commands/small.hpp"
#include "list_progress.hpp"

#include <map>
#include <vector>

namespace zeroth::cpu {

class RecordedWaits {
public:
  // The waits of a command, whose points stay where they are.
  void add(const Command& command);
  void forget(const Command& command, std::size_t count);
  void clear() { waits_.clear(); }

  std::size_t count() const { return waits_.size(); }
  // What the execution that is submitted now waits for. `to` has room for count().
  void renew(ExecuteListCommand::Renewal* to);

  // The waits of another list, whose points have places here. That list may be executing, and is what writes its own.
  void copy(const RecordedWaits& from, const std::map<const WaitPoint*, WaitPoint*>& places);

private:
  struct Wait {
    WaitPoint* place;
    ListProgress* list;
    std::uint32_t recording; // of that list
    std::uint64_t signal;    // of one execution, from 1
    std::uint64_t number;    // as of the last submission
  };
  std::vector<Wait> waits_;
};

} // namespace zeroth::cpu
