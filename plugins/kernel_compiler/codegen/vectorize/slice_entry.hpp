// The first block of a widened function: where each part lies in the group and which of its lanes exist.
#pragma once

#include "widen_state.hpp"

namespace zeroth::codegen {

// Fills the state's positions and ids; returns the mask that the slice starts with.
Mask emit_slice_entry(WideState& state);

// The group's size (and as long as its rows are here), by query, so that later passes fold what is known.
Position slice_extents(WideState& state);

// The position so many parts on from `at`, within rows.
Position behind_parts(WideState& state, Position at, const Position& extent, unsigned parts);

} // namespace zeroth::codegen
