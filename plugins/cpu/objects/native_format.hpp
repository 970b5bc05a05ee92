// The identity of native binaries: equal numbers mean that a binary of one program loads in another.
#pragma once
#include <kernel_compiler/kernel_abi.h>

#include <array>
#include <cstdint>

namespace zeroth::cpu {

inline const std::array<std::uint8_t, 16>& native_format_uuid() {
  static constexpr std::array<std::uint8_t, 16> uuid{'z', 'e', 'r', 'o', 't', 'h', '-', 'c',
                                                     'p', 'u', 0,   0,   0,   0,   0,   ZEROTH_KERNEL_ABI_VERSION};
  return uuid;
}

} // namespace zeroth::cpu
