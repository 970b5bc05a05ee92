// Texts of fixed size in the API's structures.
#pragma once

#include <cstring>
#include <string_view>

namespace zeroth::sysman {

template <std::size_t N> void put_text(char (&to)[N], std::string_view from) {
  std::memset(to, 0, N);
  std::memcpy(to, from.data(), std::min(from.size(), N - 1));
}

// What the specification wants where a text cannot be determined.
template <std::size_t N> void put_known(char (&to)[N], std::string_view from) {
  put_text(to, from.empty() ? "unknown" : from);
}

} // namespace zeroth::sysman
