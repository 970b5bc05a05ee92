#include "unroll_small_loops.hpp"

#include "dialect_calls.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace zeroth::codegen {

namespace {

constexpr unsigned MaxTrips = 64;
constexpr unsigned MaxInstructions = 320; // of the unrolled loop
constexpr unsigned MaxGrowth = 1200;      // of the function: each instruction will stand for several vectors
constexpr unsigned MaxWanted = 1200, MaxWantedGrowth = 3000; // the same for loops whose producer asks for unrolling
constexpr unsigned BarrierSize = 20;                         // begins a region with loops and kept values of its own
constexpr unsigned TooLarge = 1 << 20;

// Loops of built-in functions that exist to keep code small.
bool stays_a_loop(const llvm::Loop& loop) { return llvm::getBooleanLoopAttribute(&loop, KeptLoop); }

// Instructions of the loop once its inner loops are unrolled.
unsigned unrolled_size(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  unsigned trips = evolution.getSmallConstantTripCount(&loop);
  if (trips == 0 || trips > MaxTrips) return TooLarge;
  unsigned size = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    bool is_inner = llvm::any_of(loop, [&](const llvm::Loop* inner) { return inner->contains(block); });
    if (is_inner) continue;
    for (const llvm::Instruction& instruction : *block)
      if (is_dialect_call(&instruction, dialect::Barrier))
        size += BarrierSize;
      else
        size += !llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::CastInst>(instruction);
  }
  for (const llvm::Loop* inner : loop) size += unrolled_size(*inner, evolution);
  return std::min(size, TooLarge) * (stays_a_loop(loop) ? 1 : trips);
}

bool has_barrier(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block,
                        [](const auto& instruction) { return is_dialect_call(&instruction, dialect::Barrier); });
  });
}

bool is_wanted(const llvm::Loop& loop) {
  return llvm::getBooleanLoopAttribute(&loop, "llvm.loop.unroll.enable") ||
         llvm::getBooleanLoopAttribute(&loop, "llvm.loop.unroll.full");
}

// The producer's own wish about unrolling was made for scalar code, which code generation does not make.
void mark(llvm::Loop& loop, bool unroll) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  if (llvm::MDNode* id = loop.getLoopID())
    loop.setLoopID(llvm::makePostTransformationMetadata(context, id, {"llvm.loop.unroll."}, {}));
  if (unroll) llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full", 1);
}

} // namespace

llvm::PreservedAnalyses MarkSmallLoops::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  unsigned growth = 0;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (stays_a_loop(*loop)) continue;
    bool wanted = is_wanted(*loop), favoured = wanted && !has_barrier(*loop);
    unsigned size = unrolled_size(*loop, evolution);
    bool unroll =
        size <= (favoured ? MaxWanted : MaxInstructions) && growth + size <= (favoured ? MaxWantedGrowth : MaxGrowth);
    if (unroll) growth += size;
    if (unroll || wanted) mark(*loop, unroll);
  }
  return llvm::PreservedAnalyses::all();
}

} // namespace zeroth::codegen
