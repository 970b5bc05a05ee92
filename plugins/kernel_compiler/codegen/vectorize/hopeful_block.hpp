// A block with several accesses whose addresses only hope to be strided (see Divergence::hope) asks once whether all
// hopes hold, and has its accesses in two versions: all in runs, or all lane by lane.
//
//   load a[i-w]  hope?                  hopes of a[i-w], a[i-1], a[i+1], a[i+w]?
//   load a[i-1]  hope?                    /                      \.
//   load a[i+1]  hope?        ▶      four runs              four gathers
//   load a[i+w]  hope?                    \                      /
//   store b[i]   hope?                     phis of what is used below
#pragma once

#include "widen_state.hpp"

#include <optional>

namespace zeroth::codegen {

struct HopefulBlock {
  llvm::SmallVector<const llvm::Value*> addresses; // whose hopes are asked about
  const llvm::Instruction *first, *last;           // made twice, both included
};

// Moves what the addresses are computed from before the first access. Nothing where one question would serve only one
// access.
std::optional<HopefulBlock> plan_hopeful_block(llvm::BasicBlock& block, WideState& state);

// Widens the instructions from plan.first to plan.last.
void widen_in_two_versions(WideState& state, const HopefulBlock& plan);

} // namespace zeroth::codegen
