// The API's two-call way to hand out arrays: count null array → how many; else as many as fit, and how many were
// written.
#pragma once
#include <algorithm>
#include <cstdint>

namespace zeroth::cpu {

template <class T, class Write> void hand_out(std::uint32_t available, std::uint32_t* count, T* items, Write write) {
  if (!items || *count == 0) {
    *count = available;
    return;
  }
  *count = std::min(*count, available);
  for (std::uint32_t i = 0; i < *count; ++i) write(items[i], i);
}

} // namespace zeroth::cpu
