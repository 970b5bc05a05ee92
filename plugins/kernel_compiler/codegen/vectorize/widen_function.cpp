#include "widen_function.hpp"

#include "../remarks.hpp"
#include "full_slices.hpp"
#include "hopeful_block.hpp"
#include "repair_ssa.hpp"
#include "schedule.hpp"
#include "slice_entry.hpp"
#include "widen_instruction.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Module.h>

namespace zeroth::codegen {

namespace {

// Instructions that are not worth a branch around them.
constexpr unsigned CheapBlock = 12;

bool wants_guard(const llvm::BasicBlock* block, const FunctionLayout& layout, const Divergence& divergence) {
  const llvm::Loop* loop = layout.loop(block);
  if (loop && loop->getLoopLatch() == block) return false;
  if (loop && loop->getHeader() == block) return false; // its preheader is skipped
  if (block->getSingleSuccessor() && layout.loop(block->getSingleSuccessor()) &&
      layout.loop(block->getSingleSuccessor())->getHeader() == block->getSingleSuccessor())
    return true;
  unsigned size = 0;
  for (const llvm::Instruction& instruction : *block) {
    if (needs_active_lane(instruction, divergence)) return true;
    if (divergence.shape(&instruction).is_varying()) ++size;
  }
  return size > CheapBlock;
}

// Blocks, edges, phis and masks of the function being made. Masks and phis live in variables (stack slots) that
// repair_ssa turns into values: an edge writes them, the block they lead to reads and clears them.
class FunctionWidener {
public:
  FunctionWidener(const FunctionLayout& layout, const Divergence& divergence, const MaskPlan& masks,
                  const Schedule& schedule, WideState& state)
      : layout_(layout), divergence_(divergence), masks_(masks), schedule_(schedule), state_(state),
        builder_(state.builder) {}

  void run() {
    llvm::BasicBlock* start = llvm::BasicBlock::Create(state_.target.getContext(), "start", &state_.target);
    builder_.SetInsertPoint(start);
    state_.existing = emit_slice_entry(state_);
    block_masks_[layout_.order().front()] = state_.existing;
    for (const llvm::BasicBlock* block : layout_.order()) create_variables(*block);
    builder_.CreateBr(entries_.lookup(layout_.order().front()));
    for (const llvm::BasicBlock* block : layout_.order())
      if (is_of_edges(*block))
        emit_untold(*block);
      else
        emit_block(*block);
  }

private:
  bool is_header(const llvm::BasicBlock* block) const {
    return layout_.loop(block) && layout_.loop(block)->getHeader() == block;
  }
  bool gathers_mask(const llvm::BasicBlock* block) const {
    return masks_.source(block) == block && block != layout_.order().front();
  }

  void create_variables(const llvm::BasicBlock& block) {
    entries_[&block] = llvm::BasicBlock::Create(state_.target.getContext(), block.getName(), &state_.target);
    if (gathers_mask(&block)) {
      llvm::Type* type = state_.vector_type(builder_.getInt1Ty());
      for (unsigned part = 0; part < state_.parts(); ++part)
        mask_variables_[&block].push_back(state_.variable(type, llvm::Constant::getNullValue(type), "mask"));
      if (is_header(&block)) {
        ++state_.report.divergent_loops;
        remark_divergent_loop(state_.report, block);
      }
    }
    for (const llvm::PHINode& phi : block.phis()) create_phi_variables(phi);
  }

  void create_phi_variables(const llvm::PHINode& phi) {
    ValueShape shape = divergence_.shape(&phi);
    if (shape.kind == ValueShape::Unknown) return;
    unsigned count = shape.is_uniform()   ? 1
                     : shape.is_strided() ? state_.parts()
                                          : state_.parts() * WideState::components(phi.getType());
    for (unsigned i = 0; i < count; ++i) {
      llvm::Type* type = phi.getType();
      if (shape.is_varying())
        type = state_.vector_type(WideState::component_type(type, i % WideState::components(type)));
      phi_variables_[&phi].push_back(state_.variable(type, llvm::PoisonValue::get(type), phi.getName()));
    }
  }

  // The report tells of slices that are whole.
  void emit_untold(const llvm::BasicBlock& block) {
    KernelReport told = state_.report;
    emit_block(block);
    state_.report = std::move(told);
  }

  void emit_block(const llvm::BasicBlock& block) {
    builder_.SetInsertPoint(entries_.lookup(&block));
    take_mask(block);
    emit_guard(block);
    take_phis(block);
    widen_instructions(block);
    if (schedule_.of(&block).end == BlockSchedule::Branch) return emit_branch(block);
    for (unsigned i = 0; i < block.getTerminator()->getNumSuccessors(); ++i) follow_edge(block, i);
    emit_end(block);
  }

  void widen_instructions(const llvm::BasicBlock& block) {
    auto plan = plan_hopeful_block(const_cast<llvm::BasicBlock&>(block), state_);
    for (auto i = block.getFirstNonPHIIt(); !i->isTerminator(); ++i) {
      if (plan && &*i == plan->first) {
        widen_in_two_versions(state_, *plan);
        i = plan->last->getIterator();
      } else {
        widen_instruction(state_, *i);
      }
    }
  }

  void take_mask(const llvm::BasicBlock& block) {
    if (gathers_mask(&block)) {
      Mask mask;
      for (llvm::AllocaInst* variable : mask_variables_[&block]) {
        mask.push_back(builder_.CreateLoad(variable->getAllocatedType(), variable, "mask"));
        builder_.CreateStore(llvm::Constant::getNullValue(variable->getAllocatedType()), variable);
      }
      block_masks_[&block] = std::move(mask);
    } else if (masks_.source(&block) != &block) {
      block_masks_[&block] = block_masks_.lookup(masks_.source(&block));
    }
    state_.mask = block_masks_.lookup(&block);
    if (state_.is_full()) return;
    ++state_.report.masked_blocks;
    // Those that others cause (tails, the live work-items of a loop) are told where they are caused.
    if (gathers_mask(&block) && !is_header(&block)) remark_masked(state_.report, block, schedule_.of(&block).skip);
  }

  void emit_guard(const llvm::BasicBlock& block) {
    const llvm::BasicBlock* skip = schedule_.of(&block).skip;
    if (!skip || state_.is_full()) return;
    ++state_.report.guarded_blocks;
    auto* run = llvm::BasicBlock::Create(state_.target.getContext(), block.getName() + ".any", &state_.target);
    builder_.CreateCondBr(state_.any_of(state_.mask), run, entries_.lookup(skip));
    builder_.SetInsertPoint(run);
  }

  void take_phis(const llvm::BasicBlock& block) {
    for (const llvm::PHINode& phi : block.phis()) {
      Values values;
      for (llvm::AllocaInst* variable : phi_variables_.lookup(&phi)) {
        values.push_back(builder_.CreateLoad(variable->getAllocatedType(), variable, phi.getName()));
        if (!is_header(&block)) builder_.CreateStore(llvm::PoisonValue::get(variable->getAllocatedType()), variable);
      }
      ValueShape shape = divergence_.shape(&phi);
      if (shape.is_uniform())
        state_.set_scalar(&phi, values[0]);
      else if (shape.is_strided())
        state_.set_bases(&phi, std::move(values));
      else if (shape.is_varying())
        state_.set_vectors(&phi, std::move(values));
    }
  }

  Mask edge_mask(const llvm::BasicBlock& block, unsigned successor) {
    if (!divergence_.is_divergent_branch(&block)) return state_.mask;
    const llvm::Value* condition = llvm::cast<llvm::BranchInst>(block.getTerminator())->getCondition();
    Mask mask;
    for (unsigned part = 0; part < state_.parts(); ++part) {
      llvm::Value* taken = state_.vector(condition, part);
      if (successor == 1) taken = builder_.CreateNot(taken);
      mask.push_back(state_.is_full() ? taken : builder_.CreateLogicalAnd(state_.mask[part], taken));
    }
    return mask;
  }

  void follow_edge(const llvm::BasicBlock& block, unsigned successor) {
    const llvm::BasicBlock* target = block.getTerminator()->getSuccessor(successor);
    bool blend = divergence_.is_divergent_join(target) || divergence_.leaves_divergent_loop(&block, target);
    bool has_phis = !target->phis().empty();
    if (!gathers_mask(target) && !(blend && has_phis)) return write_phis(block, *target, {});
    Mask mask = edge_mask(block, successor);
    write_phis(block, *target, blend ? mask : Mask());
    if (gathers_mask(target)) add_to_mask(target, mask);
  }

  void add_to_mask(const llvm::BasicBlock* target, const Mask& mask) {
    llvm::SmallVector<llvm::AllocaInst*>& variables = mask_variables_[target];
    for (unsigned part = 0; part < state_.parts(); ++part) {
      llvm::Value* added =
          mask.empty() ? llvm::Constant::getAllOnesValue(variables[part]->getAllocatedType()) : mask[part];
      if (!is_header(target)) added = builder_.CreateOr(builder_.CreateLoad(added->getType(), variables[part]), added);
      builder_.CreateStore(added, variables[part]);
    }
  }

  void write_phis(const llvm::BasicBlock& block, const llvm::BasicBlock& target, const Mask& mask) {
    for (const llvm::PHINode& phi : target.phis()) {
      const llvm::Value* value = phi.getIncomingValueForBlock(&block);
      if (divergence_.shape(value).kind == ValueShape::Unknown) continue;
      llvm::ArrayRef<llvm::AllocaInst*> variables = phi_variables_[&phi];
      for (unsigned i = 0; i < variables.size(); ++i) write_phi(phi, value, variables[i], i, mask);
    }
  }

  void write_phi(const llvm::PHINode& phi, const llvm::Value* value, llvm::AllocaInst* variable, unsigned i,
                 const Mask& mask) {
    ValueShape shape = divergence_.shape(&phi);
    llvm::Value* wide = nullptr;
    if (shape.is_uniform())
      wide = state_.scalar(value);
    else if (shape.is_strided())
      wide = state_.base(value, i);
    else {
      unsigned components = WideState::components(phi.getType()), part = i / components;
      wide = state_.vector(value, part, i % components);
      if (!mask.empty()) wide = builder_.CreateSelect(mask[part], wide, builder_.CreateLoad(wide->getType(), variable));
    }
    builder_.CreateStore(wide, variable);
  }

  // All work-items take the same edge: what an edge writes is written on it, for all of them.
  void emit_branch(const llvm::BasicBlock& block) {
    const auto* branch = llvm::cast<llvm::BranchInst>(block.getTerminator());
    llvm::Value* condition = state_.scalar(branch->getCondition());
    llvm::BasicBlock *before = builder_.GetInsertBlock(), *edges[2];
    for (unsigned i : {0u, 1u}) {
      edges[i] = llvm::BasicBlock::Create(state_.target.getContext(), "edge", &state_.target);
      builder_.SetInsertPoint(edges[i]);
      follow_edge(block, i);
      builder_.CreateBr(entries_.lookup(schedule_.of(&block).next[i]));
    }
    builder_.SetInsertPoint(before);
    builder_.CreateCondBr(condition, edges[0], edges[1])->copyMetadata(*branch, {llvm::LLVMContext::MD_prof});
  }

  void emit_end(const llvm::BasicBlock& block) {
    const BlockSchedule& plan = schedule_.of(&block);
    if (plan.end == BlockSchedule::Return)
      builder_.CreateRetVoid();
    else if (plan.end == BlockSchedule::Jump)
      builder_.CreateBr(entries_.lookup(plan.next[0]));
    else
      builder_.CreateCondBr(state_.any_of(state_.mask), entries_.lookup(plan.next[0]), entries_.lookup(plan.next[1]));
  }

  const FunctionLayout& layout_;
  const Divergence& divergence_;
  const MaskPlan& masks_;
  const Schedule& schedule_;
  WideState& state_;
  Builder& builder_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> entries_;
  llvm::DenseMap<const llvm::BasicBlock*, Mask> block_masks_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallVector<llvm::AllocaInst*>> mask_variables_;
  llvm::DenseMap<const llvm::PHINode*, llvm::SmallVector<llvm::AllocaInst*>> phi_variables_;
};

} // namespace

llvm::Function* widen_function(llvm::Function& body, const Shape& shape, KernelReport& report,
                               const SmallerSlice& smaller) {
  FunctionLayout layout(body);
  Divergence divergence(layout, shape);
  MaskPlan masks(layout, divergence);
  auto guard = [&](const llvm::BasicBlock* block) { return wants_guard(block, layout, divergence); };
  Schedule schedule(layout, divergence, guard);
  gather_unreached_masks(layout, masks, schedule);
  llvm::Function* target =
      create_internal(*body.getParent(), body.getFunctionType(), body.getName() + ".w" + llvm::Twine(shape.width()));
  try {
    WideState state(layout, divergence, shape, report, *target);
    state.smaller = smaller;
    FunctionWidener(layout, divergence, masks, schedule, state).run();
  } catch (const NotVectorizable&) {
    for (llvm::BasicBlock& block : *target) block.dropAllReferences();
    target->eraseFromParent();
    throw;
  }
  repair_ssa(*target);
  return target;
}

} // namespace zeroth::codegen
