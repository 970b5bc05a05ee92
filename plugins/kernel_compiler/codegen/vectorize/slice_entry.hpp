// The first block of a widened function: where each part lies in the group and which of its lanes exist.
#pragma once

#include "widen_state.hpp"

namespace zeroth::codegen {

// Fills the state's positions and ids; returns the mask that the slice starts with.
Mask emit_slice_entry(WideState& state);

} // namespace zeroth::codegen
