#include "attach_lines.hpp"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace zeroth::codegen {

namespace {

// The function of the source that an instruction of `function` was in at first; null when none says.
llvm::DISubprogram* source_of(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (const llvm::DebugLoc& place = instruction.getDebugLoc()) return place->getInlinedAtScope()->getSubprogram();
  return nullptr;
}

llvm::DISubprogram* describe(llvm::Function& function, const llvm::DISubprogram& source) {
  llvm::DIBuilder builder(*function.getParent(), false, source.getUnit());
  llvm::DISubprogram* own = builder.createFunction(
      source.getFile(), source.getName(), "", source.getFile(), source.getLine(),
      builder.createSubroutineType(builder.getOrCreateTypeArray({})), source.getLine(), llvm::DINode::FlagZero,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
  builder.finalizeSubprogram(own);
  return own;
}

// The same places, in `own` where they were in the kernel.
class Mover {
public:
  explicit Mover(llvm::DISubprogram& own) : own_(own) {}

  llvm::DILocation* moved(llvm::DILocation* place) {
    llvm::DILocation*& result = known_[place];
    if (result) return result;
    llvm::LLVMContext& context = own_.getContext();
    llvm::DILocation* at = place->getInlinedAt();
    if (!at) return result = llvm::DILocation::get(context, place->getLine(), place->getColumn(), &own_);
    llvm::DILocation* outer = moved(at);
    const bool distinct = place->isDistinct();
    llvm::DILocation* inner =
        distinct
            ? llvm::DILocation::getDistinct(context, place->getLine(), place->getColumn(), place->getScope(), outer)
            : llvm::DILocation::get(context, place->getLine(), place->getColumn(), place->getScope(), outer);
    return known_[place] = inner;
  }

private:
  llvm::DISubprogram& own_;
  llvm::DenseMap<llvm::DILocation*, llvm::DILocation*> known_;
};

void attach(llvm::Function& function, const llvm::DISubprogram& source) {
  llvm::DISubprogram* own = describe(function, source);
  function.setSubprogram(own);
  Mover mover(*own);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (llvm::DILocation* place = instruction.getDebugLoc().get())
      instruction.setDebugLoc(mover.moved(place));
    else if (llvm::isa<llvm::CallBase>(instruction)) // LLVM wants one of every call
      instruction.setDebugLoc(llvm::DILocation::get(function.getContext(), 0, 0, own));
  }
}

} // namespace

void attach_lines(llvm::Module& module) {
  if (!module.getNamedMetadata("llvm.dbg.cu")) return;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && !function.getSubprogram())
      if (const llvm::DISubprogram* source = source_of(function)) attach(function, *source);
}

} // namespace zeroth::codegen
