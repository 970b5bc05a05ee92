// ZEL_DRIVERS_ORDER of the standard loader: which drivers come first.
//   "1,0"                     by their index in the configured order
//   "NPU,DISCRETE_GPU_ONLY"   by type: all drivers of that type
//   "GPU:1,NPU:0"             one driver by type and index among that type
// Drivers that it does not name follow in the configured order; items that mean nothing are ignored, with a warning.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <registry/backend.hpp>

namespace zeroth::registry {

// Reads the environment; without the variable nothing is asked of any driver.
void order_drivers(std::vector<std::unique_ptr<Backend>>& backends);

// The new order as indices into `types`, which holds each driver's type name.
std::vector<std::size_t> ordered(std::string_view order, const std::vector<std::string_view>& types);

// Items that are no words of the variable, and indices that so many drivers do not have.
std::vector<std::string_view> meaningless(std::string_view order, std::size_t drivers);

} // namespace zeroth::registry
