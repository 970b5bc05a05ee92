#include "unmasked_gain.hpp"

#include "vectorize/divergence.hpp"
#include "vectorize/full_loops.hpp"
#include "vectorize/full_slices.hpp"

#include <llvm/IR/Instructions.h>

namespace zeroth::codegen {

namespace {

constexpr unsigned Little = 12; // one in so many instructions

bool is_in_divergent_loop(const llvm::BasicBlock& block, const FunctionLayout& layout, const Divergence& divergence) {
  for (const llvm::Loop* loop = layout.loop(&block); loop; loop = loop->getParentLoop())
    if (divergence.is_divergent_loop(loop)) return true;
  return false;
}

bool is_reached_alike(const llvm::Value* address, const Divergence& a, const Divergence& b) {
  return a.shape(address) == b.shape(address) && a.hope(address) == b.hope(address);
}

bool is_run(const llvm::Value* address, const Divergence& divergence) {
  return divergence.hope(address) || (divergence.shape(address).is_strided() && divergence.shape(address).stride);
}

} // namespace

bool gains_without_masks(llvm::Function& body, const Shape& unmasked, const Shape& masked) {
  const bool asks = asks_for_bounds(body); // once for all that follows
  FunctionLayout layout(body);
  if (layout.loops().empty()) return true;
  const Divergence without(layout, unmasked), with(layout, masked);
  if (has_full_loops(layout, without)) return true;
  unsigned runs = 0, all = 0;
  for (const llvm::BasicBlock& block : body) {
    const bool has_mask = is_in_divergent_loop(block, layout, without);
    for (const llvm::Instruction& i : block) {
      const llvm::Value* address = llvm::getLoadStorePointerOperand(&i);
      if (address && !is_reached_alike(address, without, with)) return true;
      if (address && asks && is_run(address, without)) return true;
      all += without.shape(&i).is_varying();
      runs += address && !has_mask && is_run(address, without);
    }
  }
  return Little * runs > all;
}

} // namespace zeroth::codegen
