#include "unroll_small_loops.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace zeroth::codegen {

namespace {

constexpr unsigned MaxTrips = 64;
constexpr unsigned MaxInstructions = 320; // of the unrolled loop
constexpr unsigned MaxGrowth = 1200;      // of the function: each instruction will stand for several vectors

// Instructions of the loop once its inner loops are unrolled, or more than MaxInstructions.
unsigned unrolled_size(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  unsigned trips = evolution.getSmallConstantTripCount(&loop);
  if (trips == 0 || trips > MaxTrips) return MaxInstructions + 1;
  unsigned size = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    bool is_inner = llvm::any_of(loop, [&](const llvm::Loop* inner) { return inner->contains(block); });
    for (const llvm::Instruction& instruction : *block)
      size += !is_inner && !llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::CastInst>(instruction);
  }
  for (const llvm::Loop* inner : loop) size += unrolled_size(*inner, evolution);
  return size * trips;
}

} // namespace

llvm::PreservedAnalyses MarkSmallLoops::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  unsigned growth = 0;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (unsigned size = unrolled_size(*loop, evolution); size <= MaxInstructions && growth + size <= MaxGrowth) {
      growth += size;
      // The producer's own wish about unrolling was made for scalar code.
      if (llvm::MDNode* id = loop->getLoopID())
        loop->setLoopID(llvm::makePostTransformationMetadata(function.getContext(), id, {"llvm.loop.unroll."}, {}));
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.full", 1);
    }
  return llvm::PreservedAnalyses::all();
}

} // namespace zeroth::codegen
