#include "region_group.hpp"

#include "region_values.hpp"
#include "shared_loads.hpp"

#include <cstddef>

#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

namespace zeroth::codegen {

namespace {

constexpr uint32_t Ended = ~0u; // state of a slice that has returned
const llvm::Align ReservedAlignment(64);

// A value that may come from before its region or from within: uses see whichever is later.
struct TwoSources {
  llvm::WeakTrackingVH made, kept;
  llvm::BasicBlock* region_start;
};

class RegionGroupMaker {
public:
  RegionGroupMaker(llvm::Function& slice, const Shape& shape, uint64_t reserved)
      : slice_(slice), shape_(shape), reserved_(reserved), layout_(slice), shared_(layout_),
        uniformity_(slice, &shared_), values_(slice, layout_, uniformity_), builder_(slice.getContext()) {}

  RegionGroup make() {
    tracks_states_ = slices_may_part();
    state_offset_ = values_.slice_bytes();
    slice_bytes_ = llvm::alignTo(values_.slice_bytes() + (tracks_states_ ? 4 : 0), values_.alignment());
    group_ =
        create_internal(*slice_.getParent(), group_function_type(slice_.getContext()), slice_.getName() + ".group");
    emit_prologue();
    for (unsigned i = 0; i < layout_.regions().size(); ++i) emit_region(i);
    done_->moveAfter(&group_->back());
    llvm::EliminateUnreachableBlocks(*group_);
    join_sources();
    promote_variables();
    return {group_, slice_bytes_ + reserved_bytes(values_.alignment()) - reserved_bytes(ReservedAlignment)};
  }

private:
  // Could slices of a legal program go to different places (some return, others meet a barrier)?
  bool slices_may_part() const {
    auto ends = [&](const llvm::BasicBlock& block) {
      return layout_.barrier_after(&block) || llvm::isa<llvm::ReturnInst>(block.getTerminator());
    };
    for (const Region& region : layout_.regions()) {
      if (region.next.size() + region.returns < 2) continue;
      for (const llvm::BasicBlock* block : region.blocks)
        if (!layout_.barrier_after(block) && uniformity_.may_lead_apart(*block, ends)) return true;
    }
    return false;
  }

  void emit_prologue() {
    builder_.SetInsertPoint(llvm::BasicBlock::Create(slice_.getContext(), "entry", group_));
    for (unsigned i = 0; i < slice_argument::X; ++i) common_[slice_.getArg(i)] = group_->getArg(i);
    extent_ = group_extents(builder_, group_->getArg(0), shape_);
    count_ = slice_count(builder_, extent_, shape_);
    for (llvm::Instruction* instruction : values_.prologue())
      common_[instruction] = builder_.Insert(copy(*instruction, common_));
    for (llvm::Value* value : values_.group_variables()) {
      current_[value] = builder_.CreateAlloca(value->getType());
      next_[value] = builder_.CreateAlloca(value->getType());
    }
    llvm::Value* scratch =
        load_field(builder_, group_->getArg(1), offsetof(zeroth_worker, scratch), builder_.getPtrTy());
    llvm::Value* reserved = builder_.CreateMul(count_, builder_.getInt64(reserved_bytes(values_.alignment())));
    contexts_ = builder_.CreateInBoundsGEP(builder_.getInt8Ty(), scratch, reserved);
    for (unsigned i = 0; i < layout_.regions().size(); ++i)
      starts_.push_back(llvm::BasicBlock::Create(slice_.getContext(), "region", group_));
    done_ = llvm::BasicBlock::Create(slice_.getContext(), "group.done", group_);
    builder_.CreateBr(starts_[0]);
    llvm::ReturnInst::Create(slice_.getContext(), done_);
  }

  // Of a slice's work-items, before all contexts.
  uint64_t reserved_bytes(llvm::Align alignment) const { return llvm::alignTo(reserved_ * shape_.width(), alignment); }

  llvm::Instruction* copy(const llvm::Instruction& instruction, llvm::ValueToValueMapTy& map) {
    llvm::Instruction* made = instruction.clone();
    llvm::RemapInstruction(made, map, llvm::RF_IgnoreMissingLocals | llvm::RF_NoModuleLevelChanges);
    return made;
  }

  void emit_region(unsigned number) {
    const Region& region = layout_.regions()[number];
    llvm::ValueToValueMapTy map;
    for (auto [from, to] : common_) map[from] = to;
    builder_.SetInsertPoint(starts_[number]);
    if (region.is_fenced) builder_.CreateFence(llvm::AtomicOrdering::AcquireRelease, llvm::SyncScope::SingleThread);
    for (llvm::Value* value : region.live)
      if (values_.home(value) == RegionValues::Home::Group)
        map[value] = builder_.CreateLoad(value->getType(), current_[value]);
    SliceLoop loop = open_slice_loop(builder_);
    for (unsigned d = 0; d < 3; ++d) map[slice_.getArg(slice_argument::X + d)] = loop.position[d];
    map[slice_.getArg(slice_argument::Index)] = loop.index;
    map[slice_.getArg(slice_argument::Row)] = extent_[0];
    llvm::Value* context = builder_.CreateInBoundsGEP(
        builder_.getInt8Ty(), contexts_, builder_.CreateMul(loop.index, builder_.getInt64(slice_bytes_)), "context");
    llvm::PHINode* before = builder_.CreatePHI(builder_.getInt32Ty(), 2, "state"); // where the slices so far have gone
    before->moveBefore(*loop.header, loop.header->begin());
    before->addIncoming(builder_.getInt32(Ended), starts_[number]);
    auto* latch = llvm::BasicBlock::Create(slice_.getContext(), "slice.next", group_);
    llvm::PHINode* outcome = llvm::PHINode::Create(builder_.getInt32Ty(), 2, "outcome", latch);
    skip_ended(number, context, latch, outcome);
    take_values(region, context, map);
    clone_blocks(region, context, map, latch, outcome);
    close(region, loop, latch, outcome, before);
  }

  // Slices that have returned, or are at another barrier, do not take part.
  void skip_ended(unsigned number, llvm::Value* context, llvm::BasicBlock* latch, llvm::PHINode* outcome) {
    if (!tracks_states_ || number == 0) return;
    llvm::Value* state = builder_.CreateLoad(builder_.getInt32Ty(), slot(context, state_offset_));
    auto* run = llvm::BasicBlock::Create(slice_.getContext(), "slice.runs", group_);
    outcome->addIncoming(builder_.getInt32(Ended), builder_.GetInsertBlock());
    builder_.CreateCondBr(builder_.CreateICmpEQ(state, builder_.getInt32(number)), run, latch);
    builder_.SetInsertPoint(run);
  }

  llvm::Value* slot(llvm::Value* context, uint64_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), context, offset);
  }

  bool is_made_in(const llvm::Value* value, const Region& region) const {
    return region.blocks.contains(const_cast<llvm::BasicBlock*>(llvm::cast<llvm::Instruction>(value)->getParent()));
  }

  // What lives into the region: loaded from the slice's context or computed again.
  void take_values(const Region& region, llvm::Value* context, llvm::ValueToValueMapTy& map) {
    region_start_ = builder_.GetInsertBlock();
    kept_.clear();
    for (llvm::Value* value : region.live) {
      if (values_.home(value) == RegionValues::Home::Group) kept_[value] = map[value];
      if (values_.home(value) == RegionValues::Home::Again) map[value] = kept_[value] = again(value, map);
      if (values_.home(value) != RegionValues::Home::Slot) continue;
      llvm::Value* address = slot(context, values_.slot_offset(value));
      map[value] = kept_[value] =
          llvm::isa<llvm::AllocaInst>(value) ? address : builder_.CreateLoad(value->getType(), address);
    }
  }

  llvm::Value* again(llvm::Value* value, llvm::ValueToValueMapTy& map) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction) return value;
    if (auto found = map.find(value); found != map.end()) return found->second;
    for (llvm::Use& operand : instruction->operands()) again(operand.get(), map);
    llvm::Value* made = builder_.Insert(copy(*instruction, map));
    map[value] = made;
    return made;
  }

  void clone_blocks(const Region& region, llvm::Value* context, llvm::ValueToValueMapTy& map, llvm::BasicBlock* latch,
                    llvm::PHINode* outcome) {
    llvm::SmallVector<llvm::BasicBlock*> clones;
    for (llvm::BasicBlock* block : region.blocks) {
      auto* clone = llvm::BasicBlock::Create(slice_.getContext(), block->getName(), group_);
      map[block] = clone;
      clones.push_back(clone);
    }
    builder_.CreateBr(clones[0]);
    for (unsigned i = 0; i < clones.size(); ++i) clone_block(*region.blocks[i], *clones[i], region, context, map);
    for (llvm::BasicBlock* clone : clones)
      for (llvm::Instruction& instruction : *clone)
        llvm::RemapInstruction(&instruction, map, llvm::RF_IgnoreMissingLocals | llvm::RF_NoModuleLevelChanges);
    for (llvm::BasicBlock* clone : clones) drop_foreign_edges(*clone);
    for (unsigned i = 0; i < clones.size(); ++i)
      leave(*region.blocks[i], *clones[i], region, context, map, latch, outcome);
  }

  void clone_block(llvm::BasicBlock& block, llvm::BasicBlock& clone, const Region& region, llvm::Value* context,
                   llvm::ValueToValueMapTy& map) {
    (void)region;
    builder_.SetInsertPoint(&clone);
    for (llvm::Instruction& instruction : block) {
      if (values_.has_home(&instruction) && values_.home(&instruction) == RegionValues::Home::Prologue) continue;
      if (instruction.isLifetimeStartOrEnd()) continue; // memory may have moved into the context
      if (llvm::isa<llvm::AllocaInst>(instruction)) {
        map[&instruction] = slot(context, values_.slot_offset(&instruction));
        continue;
      }
      llvm::Instruction* made = instruction.clone();
      made->setName(instruction.getName());
      builder_.Insert(made);
      if (llvm::Value* kept = kept_.lookup(&instruction)) two_sources_.push_back({made, kept, region_start_});
      map[&instruction] = made;
    }
  }

  // Phis lose what comes from blocks of other regions.
  void drop_foreign_edges(llvm::BasicBlock& clone) {
    for (llvm::PHINode& phi : llvm::make_early_inc_range(clone.phis()))
      for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
        if (phi.getIncomingBlock(i)->getParent() != group_) phi.removeIncomingValue(i, false);
  }

  void leave(llvm::BasicBlock& block, llvm::BasicBlock& clone, const Region& region, llvm::Value* context,
             llvm::ValueToValueMapTy& map, llvm::BasicBlock* latch, llvm::PHINode* outcome) {
    unsigned next = layout_.barrier_after(&block);
    if (!next && !llvm::isa<llvm::ReturnInst>(block.getTerminator())) return;
    clone.getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(&clone);
    if (next) store_values(layout_.regions()[next], region, context, map);
    uint32_t state = next ? next : Ended;
    if (tracks_states_) builder_.CreateStore(builder_.getInt32(state), slot(context, state_offset_));
    outcome->addIncoming(builder_.getInt32(state), &clone);
    builder_.CreateBr(latch);
  }

  void store_values(const Region& next, const Region& region, llvm::Value* context, llvm::ValueToValueMapTy& map) {
    for (llvm::Value* value : next.live) {
      if (llvm::isa<llvm::AllocaInst>(value) || !is_made_in(value, region)) continue;
      RegionValues::Home home = values_.home(value);
      if (home == RegionValues::Home::Group) builder_.CreateStore(map[value], next_[value]);
      if (home == RegionValues::Home::Slot) builder_.CreateStore(map[value], slot(context, values_.slot_offset(value)));
    }
  }

  void close(const Region& region, const SliceLoop& loop, llvm::BasicBlock* latch, llvm::PHINode* outcome,
             llvm::PHINode* before) {
    latch->moveAfter(&group_->back());
    builder_.SetInsertPoint(latch);
    llvm::Value* state =
        builder_.CreateSelect(builder_.CreateICmpEQ(outcome, builder_.getInt32(Ended)), before, outcome);
    if (!tracks_states_) state = outcome;
    close_slice_loop(builder_, loop, extent_, shape_, count_);
    before->addIncoming(state, latch);
    if (outcome->getNumIncomingValues() == 0) { // no way out: an endless loop
      outcome->replaceAllUsesWith(llvm::PoisonValue::get(outcome->getType()));
      outcome->eraseFromParent();
      state = builder_.getInt32(Ended);
    }
    for (llvm::Value* value : values_.group_variables())
      if (is_made_in(value, region))
        builder_.CreateStore(builder_.CreateLoad(value->getType(), next_[value]), current_[value]);
    llvm::SwitchInst* go =
        builder_.CreateSwitch(state, region.returns || region.next.empty() ? done_ : starts_[region.next[0]]);
    for (unsigned next : region.next) go->addCase(builder_.getInt32(next), starts_[next]);
  }

  void join_sources() {
    llvm::DominatorTree dominators(*group_);
    for (const TwoSources& value : two_sources_) {
      auto* made = llvm::dyn_cast_or_null<llvm::Instruction>(value.made);
      if (!made || !value.kept) continue; // was not reachable
      llvm::SmallVector<llvm::Use*> uses;
      for (llvm::Use& use : made->uses())
        if (!dominators.dominates(made, use)) uses.push_back(&use);
      llvm::SSAUpdater updater;
      updater.Initialize(made->getType(), made->getName());
      updater.AddAvailableValue(value.region_start, value.kept);
      updater.AddAvailableValue(made->getParent(), made);
      for (llvm::Use* use : uses) updater.RewriteUse(*use);
    }
  }

  void promote_variables() {
    llvm::SmallVector<llvm::AllocaInst*> variables;
    for (llvm::Value* value : values_.group_variables()) {
      variables.push_back(llvm::cast<llvm::AllocaInst>(current_[value]));
      variables.push_back(llvm::cast<llvm::AllocaInst>(next_[value]));
    }
    llvm::DominatorTree dominators(*group_);
    llvm::PromoteMemToReg(variables, dominators);
  }

  llvm::Function& slice_;
  Shape shape_;
  uint64_t reserved_;
  RegionLayout layout_;
  SharedLoads shared_;
  SliceUniformity uniformity_;
  RegionValues values_;
  llvm::IRBuilder<> builder_;
  llvm::Function* group_ = nullptr;
  llvm::ValueToValueMapTy common_;
  Position extent_;
  llvm::Value *count_ = nullptr, *contexts_ = nullptr;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> current_, next_, kept_;
  std::vector<llvm::BasicBlock*> starts_;
  llvm::BasicBlock *done_ = nullptr, *region_start_ = nullptr;
  std::vector<TwoSources> two_sources_;
  uint64_t slice_bytes_ = 0, state_offset_ = 0;
  bool tracks_states_ = false;
};

} // namespace

RegionGroup make_region_group(llvm::Function& slice, const Shape& shape, uint64_t reserved_item_bytes) {
  RegionGroup group = RegionGroupMaker(slice, shape, reserved_item_bytes).make();
  slice.eraseFromParent();
  return group;
}

} // namespace zeroth::codegen
