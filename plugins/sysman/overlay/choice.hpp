// Who answers a function for one driver or device: the driver or we. Decided by the first call, then kept.
#pragma once

#include "settings.hpp"

#include <level_zero/zes_api.h>

#include <array>
#include <atomic>
#include <cstdint>

namespace zeroth::sysman {

class Choices {
public:
  enum class Who : std::uint8_t { Unknown, Ours, Theirs };
  static constexpr std::size_t Functions = 1024; // more than the API has

  Who of(std::size_t function) const {
    if (settings().fill == Fill::All) return Who::Ours;
    return who_[function].load(std::memory_order_relaxed);
  }
  void keep(std::size_t function, Who who) { who_[function].store(who, std::memory_order_relaxed); }

private:
  std::array<std::atomic<Who>, Functions> who_{};
};

// What a driver says that does not serve a function.
constexpr bool is_missing(ze_result_t result) {
  return result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE || result == ZE_RESULT_ERROR_UNSUPPORTED_VERSION ||
         result == ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE || result == ZE_RESULT_ERROR_UNINITIALIZED;
}

} // namespace zeroth::sysman
