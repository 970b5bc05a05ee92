#include "halve_loads.hpp"

#include "../dialect.hpp"
#include "target_machine.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace zeroth::codegen {

namespace {

constexpr uint64_t Line = 64;       // bytes
constexpr size_t OthersPerLoad = 4; // instructions on vectors

bool gains(const llvm::TargetMachine& machine) {
  return machine.getTargetTriple().isX86() && machine.getTargetCPU() == "znver4" && vector_bits(machine) == 8 * Line;
}

bool stores_locally(const llvm::User* user) {
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
  return store && store->getPointerAddressSpace() == dialect::Local;
}

// Tiles are short rows that lie apart.
bool fills_tile(const llvm::Value& value) {
  return llvm::any_of(value.users(), [](const llvm::User* user) {
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) return llvm::any_of(phi->users(), stores_locally);
    return stores_locally(user);
  });
}

bool loads_line(const llvm::LoadInst& load, const llvm::DataLayout& layout) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(load.getType());
  return vector && load.isSimple() && load.getPointerAddressSpace() == dialect::Global &&
         layout.getTypeStoreSize(load.getType()) == Line && vector->getNumElements() % 2 == 0 && !fills_tile(load);
}

// The second half is volatile: the code generator would join them again.
void halve(llvm::LoadInst& load) {
  llvm::IRBuilder<> builder(&load);
  auto* vector = llvm::cast<llvm::FixedVectorType>(load.getType());
  auto* half = llvm::FixedVectorType::getHalfElementsVectorType(vector);
  llvm::Value* place = load.getPointerOperand();
  llvm::LoadInst* low = builder.CreateAlignedLoad(half, place, load.getAlign());
  llvm::LoadInst* high =
      builder.CreateAlignedLoad(half, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), place, Line / 2),
                                llvm::commonAlignment(load.getAlign(), Line / 2), true);
  low->copyMetadata(load, {llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_alias_scope});
  llvm::SmallVector<int, 64> all(vector->getNumElements());
  for (unsigned i = 0; i < all.size(); ++i) all[i] = int(i);
  load.replaceAllUsesWith(builder.CreateShuffleVector(low, high, all));
  load.eraseFromParent();
}

// Neighbours, as in stencils: then each line is seen several times anyway.
bool overlap(llvm::ArrayRef<llvm::LoadInst*> loads, const llvm::DataLayout& layout) {
  llvm::SmallVector<std::pair<const llvm::Value*, int64_t>> places;
  for (const llvm::LoadInst* load : loads) {
    llvm::APInt offset(64, 0);
    const llvm::Value* base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    places.emplace_back(base, offset.getSExtValue());
  }
  llvm::sort(places);
  for (size_t i = 1; i < places.size(); ++i)
    if (places[i].first == places[i - 1].first && places[i].second - places[i - 1].second < int64_t(Line)) return true;
  return false;
}

// The loads of lines in a block that does little besides.
llvm::SmallVector<llvm::LoadInst*> streams_of(llvm::BasicBlock& block) {
  const llvm::DataLayout& layout = block.getDataLayout();
  llvm::SmallVector<llvm::LoadInst*> loads;
  size_t others = 0;
  for (llvm::Instruction& instruction : block)
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && loads_line(*load, layout))
      loads.push_back(load);
    else if (instruction.getType()->isVectorTy())
      ++others;
  if (others > OthersPerLoad * loads.size() || overlap(loads, layout)) loads.clear();
  return loads;
}

} // namespace

void halve_loads(llvm::Module& module, const llvm::TargetMachine& machine) {
  if (!gains(machine)) return;
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::LoadInst* load : streams_of(block)) halve(*load);
}

} // namespace zeroth::codegen
