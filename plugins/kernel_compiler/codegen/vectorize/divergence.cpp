#include "divergence.hpp"

#include <map>

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace zeroth::codegen {

Divergence::Divergence(const FunctionLayout& layout, const Shape& shape)
    : layout_(layout), shape_(shape), parts_(shape.parts) {
  do {
    find_together();
    while (propagate_shapes()) {
    }
  } while (propagate_control());
  find_hopes();
}

ValueShape Divergence::shape(const llvm::Value* value) const {
  if (llvm::isa<llvm::UndefValue>(value)) return {};
  if (!llvm::isa<llvm::Instruction>(value)) return ValueShape::uniform();
  auto found = shapes_.find(value);
  return found == shapes_.end() ? ValueShape() : found->second;
}

bool Divergence::leaves_divergent_loop(const llvm::BasicBlock* from, const llvm::BasicBlock* to) const {
  for (const llvm::Loop* loop = layout_.loop(from); loop && !loop->contains(to); loop = loop->getParentLoop())
    if (is_divergent_loop(loop)) return true;
  return false;
}

bool Divergence::propagate_shapes() {
  bool changed = false;
  for (const llvm::BasicBlock* block : layout_.order())
    for (const llvm::Instruction& instruction : *block) {
      ValueShape& known = shapes_[&instruction];
      ValueShape next = join(known, normal(compute(instruction)));
      changed |= next != known;
      known = next;
    }
  return changed;
}

// New divergent branches and what follows from them.
bool Divergence::propagate_control() {
  bool changed = false;
  for (const llvm::BasicBlock* block : layout_.order()) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional() || is_divergent_branch(block)) continue;
    ValueShape condition = shape(branch->getCondition());
    if (condition.is_uniform() || condition.kind == ValueShape::Unknown) continue;
    divergent_branches_.insert(block);
    spread(block, {branch->getSuccessor(0), branch->getSuccessor(1)});
    changed = true;
  }
  return changed;
}

// Blocks come after those that lead to them, but for back edges; a loop that work-items leave at different times begins
// together.
void Divergence::find_together() {
  together_.clear();
  for (const llvm::BasicBlock* block : layout_.order()) {
    const llvm::Loop* loop = layout_.loop(block);
    bool together = !loop || !is_divergent_loop(loop);
    for (const llvm::BasicBlock* before : llvm::predecessors(block))
      together &= layout_.is_back_edge(before, block) || (come_together(before) && !is_divergent_branch(before));
    if (together) together_.insert(block);
  }
}

// Follows the paths from a point where work-items part, within its loop, until they have met again; every block where
// two of them meet is a divergent join. If some leave the loop before, the loop is divergent: its exits then are paths
// that part at its preheader.
void Divergence::spread(const llvm::BasicBlock* from, llvm::ArrayRef<llvm::BasicBlock*> targets) {
  const llvm::Loop* loop = layout_.loop(from);
  std::map<unsigned, const llvm::BasicBlock*> pending; // by position: the path's label
  bool left = false;
  auto reach = [&](const llvm::BasicBlock* at, const llvm::BasicBlock* to, const llvm::BasicBlock* label) {
    if (loop && !loop->contains(to)) {
      left = true;
      return;
    }
    if (layout_.is_back_edge(at, to)) return;
    auto [entry, added] = pending.try_emplace(layout_.index(to), label);
    if (added || entry->second == label) return;
    entry->second = to;
    divergent_joins_.insert(to);
  };
  for (llvm::BasicBlock* target : targets) reach(from, target, target);
  while (!pending.empty()) {
    auto [position, label] = *pending.begin();
    pending.erase(pending.begin());
    const llvm::BasicBlock* block = layout_.order()[position];
    if (pending.empty() && label == block) break;
    for (const llvm::BasicBlock* next : llvm::successors(block)) reach(block, next, label);
  }
  if (!left || !divergent_loops_.insert(loop).second) return;
  llvm::SmallVector<llvm::BasicBlock*> exits;
  loop->getUniqueExitBlocks(exits);
  spread(loop->getLoopPreheader(), exits);
}

ValueShape Divergence::normal(ValueShape shape) const {
  return shape.is_strided() && shape.stride == 0 ? in_part() : shape;
}

ValueShape Divergence::mixed(const llvm::User& user) const {
  ValueShape result = ValueShape::uniform();
  for (const llvm::Use& operand : user.operands()) {
    ValueShape shape = this->shape(operand.get());
    if (shape.kind == ValueShape::Unknown) {
      if (!llvm::isa<llvm::UndefValue>(operand.get())) return {};
    } else if (!shape.same_in_part()) {
      return ValueShape::varying();
    } else if (shape.is_strided()) {
      result = ValueShape::strided(0);
    }
  }
  return result;
}

} // namespace zeroth::codegen
