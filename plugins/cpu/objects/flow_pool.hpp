// Flows for queues and immediate lists: made once, used again when drained, never freed.
// Threads: any.
#pragma once
#include "../commands/flow.hpp"

#include <algorithm>
#include <deque>
#include <level_zero/ze_api.h>
#include <mutex>
#include <utility>
#include <vector>

namespace zeroth::cpu {

// What a queue's or list's priority means to the workers.
inline Runnable::Priority priority_of(ze_command_queue_priority_t priority) {
  return priority == ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH  ? Runnable::Priority::High
         : priority == ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW ? Runnable::Priority::Low
                                                              : Runnable::Priority::Normal;
}

template <class F> class FlowPool {
public:
  explicit FlowPool(Executor& executor) : executor_(executor) {}

  F& acquire() {
    std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < resting_.size(); ++i) {
      F* flow = resting_.front();
      resting_.pop_front();
      if (flow->drained()) return *flow;
      resting_.push_back(flow); // its list was destroyed while it still waits for something
    }
    return all_.emplace_back(executor_);
  }

  // Whatever it still has to do goes on.
  void release(F& flow) {
    std::lock_guard lock(mutex_);
    resting_.push_back(&flow);
  }

  // Waits for all that was under way when it was called. What waits in a list that was destroyed, and that the end of
  // all else does not release, is left alone: it may wait for ever, and nobody is there who wants it. (An execution out
  // of order inside such a list counts as going on.)
  void drain() {
    std::vector<std::pair<F*, Flow::End>> awaited, ownerless;
    for_each([&](F& flow) {
      if (!flow.drained()) (owned(flow) ? awaited : ownerless).emplace_back(&flow, flow.end());
    });
    for (auto& [flow, end] : awaited) flow->wait_for(end, Forever);
    for (bool again = true; again;) { // one may release another
      again = false;
      for (auto& [flow, end] : ownerless) {
        constexpr std::uint64_t Look = 1'000'000; // nanoseconds
        for (; flow->awaited_value(end) && flow->can_go_on() && !flow->wait_for(end, now() + Look); again = true) {
        }
      }
    }
  }

  // Is there something under way that drain() would wait for?
  bool expects_end(const Flow& flow) { return !flow.drained() && (flow.can_go_on() || owned(flow)); }

  // Calls visit(flow) for every flow there is.
  template <class Visit> void for_each(Visit visit) {
    std::unique_lock lock(mutex_);
    const std::size_t count = all_.size();
    for (std::size_t i = 0; i < count; ++i) {
      F& flow = all_[i];
      lock.unlock();
      visit(flow);
      lock.lock();
    }
  }

private:
  bool owned(const Flow& flow) {
    std::lock_guard lock(mutex_);
    return std::find(resting_.begin(), resting_.end(), &flow) == resting_.end();
  }

  Executor& executor_;
  std::mutex mutex_;
  std::deque<F> all_;
  std::deque<F*> resting_;
};

} // namespace zeroth::cpu
