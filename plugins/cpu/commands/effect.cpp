#include "effect.hpp"

#include "../execute/futex.hpp"
#include "../execute/order_annotations.hpp"

#include <climits>

namespace zeroth::cpu {

void Effect::apply() const {
  if (kind != Kind::Advance) annotate_signal_to_processes();
  switch (kind) {
  case Kind::Advance:
    return timeline->add_one();
  case Kind::Add:
    word->fetch_add(value, std::memory_order_acq_rel);
    return;
  case Kind::Raise: {
    const std::uint64_t wanted = value;
    std::uint64_t seen = word->load(std::memory_order_relaxed);
    while (seen < wanted && !word->compare_exchange_weak(seen, wanted, std::memory_order_acq_rel)) {
    }
    return;
  }
  case Kind::Publish: {
    std::atomic<std::uint64_t>* const to = word;
    to->store(value, std::memory_order_release);
    futex::wake_shared(to, INT_MAX);
    return;
  }
  }
}

} // namespace zeroth::cpu
