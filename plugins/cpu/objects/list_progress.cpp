#include "list_progress.hpp"

#include <mutex>
#include <vector>

namespace zeroth::cpu {

namespace {

struct Resting {
  std::mutex mutex;
  std::vector<ListProgress*> all;
};
Resting& resting() {
  static Resting& only = *new Resting;
  return only;
}

} // namespace

ListProgress& ListProgress::take() {
  std::lock_guard lock(resting().mutex);
  if (resting().all.empty()) return *new ListProgress;
  ListProgress& one = *resting().all.back();
  resting().all.pop_back();
  one.begin_recording(one.value() + 1);
  return one;
}

void ListProgress::give_back() {
  std::lock_guard lock(resting().mutex);
  resting().all.push_back(this);
}

void ListProgress::begin_recording(std::uint64_t next) {
  recording_.fetch_add(1, std::memory_order_acq_rel);
  begun_.store(next, std::memory_order_release);
  signals_.store(0, std::memory_order_relaxed);
}

std::uint64_t ListProgress::signal_at(std::uint64_t number) const {
  const std::uint64_t begun = begun_.load(std::memory_order_acquire), all = signals_.load(std::memory_order_relaxed);
  if (number < begun) return 0;
  const std::uint64_t signal = number - begun + 1; // an exchanged event may stand for the execution after this one
  return signal > all ? signal - all : signal;
}

} // namespace zeroth::cpu
