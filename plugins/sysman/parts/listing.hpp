// The API's two-call way to hand out arrays: a count of zero or no array asks how many there are; else as many as fit.
#pragma once

#include <algorithm>
#include <cstdint>

namespace zeroth::sysman {

template <class T, class Write> void hand_out(std::size_t available, std::uint32_t* count, T* items, Write write) {
  const auto total = static_cast<std::uint32_t>(available);
  if (items == nullptr || *count == 0) {
    *count = total;
    return;
  }
  *count = std::min(*count, total);
  for (std::uint32_t i = 0; i < *count; ++i) write(items[i], i);
}

} // namespace zeroth::sysman
