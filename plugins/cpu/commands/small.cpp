#include "small.hpp"

#include "overlap.hpp"

#include <cstring>

namespace zeroth::cpu {

Step QueryTimestampsCommand::start(Worker&, Continuation&) {
  for (std::uint32_t i = 0; i < count_; ++i) {
    const std::uint64_t start = cells_[i]->start.load(std::memory_order_relaxed);
    const std::uint64_t end = cells_[i]->end.load(std::memory_order_relaxed);
    const std::uint64_t times[4] = {start, end, start, end};
    std::memcpy(to_ + (offsets_ ? offsets_[i] : i * sizeof times), times, sizeof times);
  }
  return Step::Done;
}

Step ExecuteListCommand::start(Worker& worker, Continuation& owner) {
  for (std::size_t i = 0; i < renewals_; ++i) *renewals()[i].place = renewals()[i].point;
  if (!first_) return Step::Done;
  return in_order_ ? Step::Entered : OverlapRun::begin(first_, false, worker, owner);
}

} // namespace zeroth::cpu
