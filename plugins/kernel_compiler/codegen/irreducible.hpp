// Cycles that a program enters at more than one place, as goto into a loop makes them.
#pragma once

namespace llvm {
class Function;
}

namespace zeroth::codegen {

struct Cycles {
  unsigned loops = 0;
  bool irreducible = false; // others remain beside the loops
};

Cycles cycles_of(const llvm::Function& body);

} // namespace zeroth::codegen
