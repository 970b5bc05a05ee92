#include "extra_cuts.hpp"

#include "../dialect_calls.hpp"
#include "slice_uniformity.hpp"

#include <llvm/ADT/BitVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace zeroth::codegen {

namespace {

// In instructions of the slice function, of all regions together.
constexpr uint64_t always_cheap = 1200;
constexpr uint64_t worthwhile_factor = 3; // beyond this multiple cuts are added
constexpr uint64_t bearable_factor = 12;  // beyond this one loops between barriers are given up
constexpr uint64_t bearable = 12'000;
constexpr unsigned most_cuts = 64;

// A block's code before its first barrier belongs to the regions that reach it; what follows its last barrier begins
// one. What lies between two barriers of one block belongs to no other region and does not matter here.
struct Block {
  llvm::BasicBlock* block;
  std::vector<unsigned> successors;
  uint64_t head = 0, tail = 0; // instructions before the first barrier (all if there is none), after the last
  bool has_barrier = false;
  bool may_be_cut = false; // all slices come here together
};

class RegionCopies {
public:
  explicit RegionCopies(llvm::Function& slice) : uniformity_(slice) {
    llvm::DenseMap<const llvm::BasicBlock*, unsigned> numbers;
    for (llvm::BasicBlock& block : slice) {
      numbers[&block] = unsigned(blocks_.size());
      blocks_.push_back(describe(block));
    }
    for (Block& block : blocks_)
      for (const llvm::BasicBlock* next : llvm::successors(block.block)) block.successors.push_back(numbers[next]);
    for (unsigned i = 0; i < blocks_.size(); ++i) total_ += blocks_[i].head + blocks_[i].tail;
    find_regions();
  }

  uint64_t function_size() const { return total_; }
  uint64_t size_of_regions() const {
    uint64_t size = 0;
    for (const Block& block : blocks_) size += block.tail;
    for (unsigned i = 0; i < blocks_.size(); ++i) size += blocks_[i].head * copies_[i];
    return size;
  }

  // The block at whose start a cut saves most; null if none saves anything.
  llvm::BasicBlock* best_cut() const {
    uint64_t most = 0;
    const Block* best = nullptr;
    for (unsigned i = 0; i < blocks_.size(); ++i) {
      if (!blocks_[i].may_be_cut || copies_[i] < 2) continue;
      uint64_t saved = saved_by_cut(i);
      if (saved > most) most = saved, best = &blocks_[i];
    }
    return best ? best->block : nullptr;
  }

  // After a barrier call has been put behind the phis of `cut`.
  void update(llvm::BasicBlock* cut) {
    for (Block& block : blocks_) {
      if (block.block != cut) continue;
      std::vector<unsigned> successors = std::move(block.successors);
      block = describe(*cut);
      block.successors = std::move(successors);
    }
    find_regions();
  }

private:
  Block describe(llvm::BasicBlock& block) const {
    Block result{&block, {}};
    uint64_t since = 0;
    for (const llvm::Instruction& instruction : block) {
      if (!is_dialect_call(&instruction, dialect::Barrier)) {
        ++since;
        continue;
      }
      if (!result.has_barrier) result.head = since;
      result.has_barrier = true;
      since = 0;
    }
    (result.has_barrier ? result.tail : result.head) = since;
    result.may_be_cut = !result.has_barrier && uniformity_.is_reached_together(block);
    return result;
  }

  // Marks what is reached from `open` without passing a barrier.
  void reach(std::vector<unsigned> open, llvm::BitVector& reached) const {
    while (!open.empty()) {
      unsigned i = open.back();
      open.pop_back();
      if (reached.test(i)) continue;
      reached.set(i);
      if (!blocks_[i].has_barrier) open.insert(open.end(), blocks_[i].successors.begin(), blocks_[i].successors.end());
    }
  }

  void find_regions() {
    copies_.assign(blocks_.size(), 0);
    add_region({0});
    for (const Block& block : blocks_)
      if (block.has_barrier) add_region(block.successors);
  }

  void add_region(const std::vector<unsigned>& start) {
    llvm::BitVector reached(unsigned(blocks_.size()));
    reach(start, reached);
    for (unsigned i : reached.set_bits()) ++copies_[i];
  }

  // What follows a cut stays in one region of the copies that it had, as long as no other way leads there.
  uint64_t saved_by_cut(unsigned cut) const {
    llvm::BitVector reached(unsigned(blocks_.size()));
    reach({cut}, reached);
    uint64_t saved = 0;
    for (unsigned i : reached.set_bits()) saved += blocks_[i].head * (std::min(copies_[i], copies_[cut]) - 1);
    return saved;
  }

  SliceUniformity uniformity_;
  std::vector<Block> blocks_;
  std::vector<unsigned> copies_; // by block: in how many regions it is
  uint64_t total_ = 0;
};

llvm::CallInst* add_cut(llvm::BasicBlock& block) {
  llvm::IRBuilder<> builder(&*block.getFirstInsertionPt());
  llvm::Type* integer = builder.getInt32Ty();
  auto* type = llvm::FunctionType::get(builder.getVoidTy(), {integer, integer, integer}, false);
  llvm::FunctionCallee barrier = block.getModule()->getOrInsertFunction(dialect::Barrier, type);
  return builder.CreateCall(barrier, {builder.getInt32(0), builder.getInt32(0), builder.getInt32(0)});
}

} // namespace

bool limit_region_copies(llvm::Function& slice) {
  RegionCopies copies(slice);
  const uint64_t size = copies.function_size();
  llvm::SmallVector<llvm::CallInst*> cuts;
  while (cuts.size() < most_cuts &&
         copies.size_of_regions() > std::max<uint64_t>(always_cheap, worthwhile_factor * size)) {
    llvm::BasicBlock* block = copies.best_cut();
    if (!block) break;
    cuts.push_back(add_cut(*block));
    copies.update(block);
  }
  if (copies.size_of_regions() <= std::max(bearable, bearable_factor * size)) return true;
  for (llvm::CallInst* cut : cuts) cut->eraseFromParent();
  return false;
}

} // namespace zeroth::codegen
