#include "local_atomics.hpp"

#include "../dialect.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

namespace zeroth::codegen {

void simplify_local_atomics(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        if (update->getPointerAddressSpace() == dialect::Local) llvm::lowerAtomicRMWInst(update);
      } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        if (exchange->getPointerAddressSpace() == dialect::Local) llvm::lowerAtomicCmpXchgInst(exchange);
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        const bool is_local = store->getPointerAddressSpace() == dialect::Local;
        if (is_local && store->getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent)
          store->setOrdering(llvm::AtomicOrdering::Release);
      }
}

} // namespace zeroth::codegen
