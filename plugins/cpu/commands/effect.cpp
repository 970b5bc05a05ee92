#include "effect.hpp"

#include "../execute/futex.hpp"
#include "../execute/order_annotations.hpp"

#include <climits>

namespace zeroth::cpu {

void Effect::apply() const {
  Timeline* const progress = advanced;
  apply_to_word();
  if (progress) progress->add_one();
}

void Effect::apply_to_word() const {
  switch (kind) {
  case Kind::Nothing:
    return;
  case Kind::Next:
    return queue->pop().apply_to_word();
  case Kind::Add: {
    std::atomic<std::uint64_t>* const to = word;
    const std::uint64_t more = value;
    annotate_signal_to_processes();
    to->fetch_add(more, std::memory_order_acq_rel);
    return;
  }
  case Kind::Raise: {
    std::atomic<std::uint64_t>* const to = word;
    const std::uint64_t wanted = value;
    annotate_signal_to_processes();
    std::uint64_t seen = to->load(std::memory_order_relaxed);
    while (seen < wanted && !to->compare_exchange_weak(seen, wanted, std::memory_order_acq_rel)) {
    }
    return;
  }
  case Kind::Publish: {
    std::atomic<std::uint64_t>* const to = word;
    const std::uint64_t number = value;
    annotate_signal_to_processes();
    to->store(number, std::memory_order_release);
    futex::wake_shared(to, INT_MAX);
    return;
  }
  }
}

} // namespace zeroth::cpu
