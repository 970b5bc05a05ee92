// Does the machine compute with halves themselves, not by way of floats?
#pragma once
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

namespace zeroth::codegen {

inline bool has_half_arithmetic(const llvm::TargetMachine& machine) {
  const llvm::MCSubtargetInfo& info = *machine.getMCSubtargetInfo();
  return machine.getTargetTriple().isX86() ? info.checkFeatures("+avx512fp16,+avx512vl")
                                           : info.checkFeatures("+fullfp16");
}

} // namespace zeroth::codegen
