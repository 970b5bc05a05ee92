// The control flow of a kernel body as the vectoriser sees it: loops with one empty latch, no critical edges, and an
// order of blocks in which every loop is contiguous and edges (but back edges) go forward.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>

#include <stdexcept>
#include <vector>

namespace zeroth::codegen {

// Why a kernel cannot be vectorised; the plain form serves it.
class NotVectorizable : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class FunctionLayout {
public:
  // Rewrites the control flow of `body` (already canonical, see run_canonical_pipeline) and analyses it.
  explicit FunctionLayout(llvm::Function& body);

  llvm::Function& function() const { return function_; }
  const std::vector<llvm::BasicBlock*>& order() const { return order_; }
  unsigned index(const llvm::BasicBlock* block) const { return index_.lookup(block); }
  bool is_back_edge(const llvm::BasicBlock* from, const llvm::BasicBlock* to) const { return index(to) <= index(from); }
  const llvm::DominatorTree& dominators() const { return dominators_; }
  const llvm::PostDominatorTree& post_dominators() const { return post_dominators_; }
  const llvm::LoopInfo& loops() const { return loops_; }
  llvm::Loop* loop(const llvm::BasicBlock* block) const { return loops_.getLoopFor(block); }

private:
  void isolate_latches();
  void split_critical_edges();
  void order_level(llvm::Loop* level, llvm::BasicBlock* first);

  llvm::Function& function_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree post_dominators_;
  llvm::LoopInfo loops_;
  std::vector<llvm::BasicBlock*> order_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> index_;
};

} // namespace zeroth::codegen
