#include "effect.hpp"

#include "../execute/futex.hpp"
#include "../execute/order_annotations.hpp"

#include <climits>

namespace zeroth::cpu {

void Effect::apply() const {
  Timeline* const progress = advanced;
  const Effect copy = kind == Kind::Next ? queue->pop() : *this;
  copy.apply_to_word();
  if (progress) progress->add_one();
}

void Effect::apply_to_word() const {
  if (kind == Kind::Add) {
    annotate_signal_to_processes();
    word->fetch_add(value, std::memory_order_acq_rel);
  } else if (kind == Kind::Publish) {
    annotate_signal_to_processes();
    word->store(value, std::memory_order_release);
    futex::wake_shared(word, INT_MAX);
  }
  forget();
}

} // namespace zeroth::cpu
