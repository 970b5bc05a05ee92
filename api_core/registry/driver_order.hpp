// ZEL_DRIVERS_ORDER of the standard loader: which drivers come first.
//   "1,0"                     by their index in the configured order
//   "NPU,DISCRETE_GPU_ONLY"   by type: all drivers of that type
//   "GPU:1,NPU:0"             one driver by type and index among that type
// Drivers that it does not name follow in the configured order; items that it cannot read are ignored.
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

} // namespace zeroth::registry
