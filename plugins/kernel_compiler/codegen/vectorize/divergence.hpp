// Which values differ between the work-items of a slice, and where their control flow parts.
#pragma once

#include "../slice_function.hpp"
#include "function_layout.hpp"
#include "value_shape.hpp"

#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace zeroth::codegen {

class Divergence {
public:
  // Analyses until nothing changes. `layout` must outlive this object.
  Divergence(const FunctionLayout& layout, const Shape& shape);

  ValueShape shape(const llvm::Value* value) const;
  // The stride of a varying value that is "first + stride * lane" unless an index wraps around, or is clamped, on the
  // way, which a check at run time can tell.
  std::optional<int64_t> hope(const llvm::Value* value) const {
    auto found = hopes_.find(value);
    return found == hopes_.end() ? std::nullopt : std::optional(found->second);
  }
  // Does a strided (or uniform) value run on from part to part, as if the slice were one vector?
  bool runs_through_parts(const llvm::Value* value, unsigned depth = 0) const;
  // Of a minimum, maximum or select: the operand that it hopes to be in all work-items; null: none.
  const llvm::Value* hoped_arm(const llvm::Instruction& instruction) const;
  // A conditional branch whose condition is not the same for the whole slice.
  bool is_divergent_branch(const llvm::BasicBlock* block) const { return divergent_branches_.contains(block); }
  // Work-items come here from several predecessors in one pass: phis blend.
  bool is_divergent_join(const llvm::BasicBlock* block) const { return divergent_joins_.contains(block); }
  // Work-items leave this loop in different iterations or by different exits.
  bool is_divergent_loop(const llvm::Loop* loop) const { return divergent_loops_.contains(loop); }
  // All work-items that started come to this block, or none; and as often.
  bool come_together(const llvm::BasicBlock* block) const { return together_.contains(block); }
  // Does the edge leave a divergent loop?
  bool leaves_divergent_loop(const llvm::BasicBlock* from, const llvm::BasicBlock* to) const;

private:
  bool propagate_shapes();
  bool propagate_control();
  void find_together();
  void find_hopes();
  std::optional<int64_t> compute_hope(const llvm::Instruction& instruction) const;
  std::optional<int64_t> hope_of_bits(const llvm::Instruction& conjunction) const;
  std::optional<int64_t> hope_of_address(const llvm::GetElementPtrInst& address) const;
  std::optional<int64_t> stride_or_hope(const llvm::Value* value) const;
  ValueShape compute(const llvm::Instruction& instruction) const;
  ValueShape compute_private(const llvm::AllocaInst& memory) const;
  ValueShape compute_phi(const llvm::PHINode& phi) const;
  ValueShape compute_arithmetic(const llvm::Instruction& instruction) const;
  ValueShape compute_compare(const llvm::ICmpInst& compare) const;
  ValueShape compute_cast(const llvm::CastInst& cast) const;
  ValueShape compute_address(const llvm::GetElementPtrInst& address) const;
  ValueShape compute_call(const llvm::CallBase& call) const;
  ValueShape compute_query(std::string_view name, const llvm::CallBase& call) const;
  ValueShape mixed(const llvm::User& user) const;
  ValueShape in_part() const { return parts_ == 1 ? ValueShape::uniform() : ValueShape::strided(0); }
  ValueShape normal(ValueShape shape) const;
  void spread(const llvm::BasicBlock* from, llvm::ArrayRef<llvm::BasicBlock*> targets);

  const FunctionLayout& layout_;
  Shape shape_;
  unsigned parts_;
  llvm::DenseMap<const llvm::Value*, ValueShape> shapes_;
  llvm::DenseMap<const llvm::Value*, int64_t> hopes_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> divergent_branches_, divergent_joins_, together_;
  llvm::SmallPtrSet<const llvm::Loop*, 8> divergent_loops_;
};

} // namespace zeroth::codegen
