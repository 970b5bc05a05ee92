// Atomics of local memory as what they are to one thread.
#pragma once

namespace llvm {
class Module;
}

namespace zeroth::codegen {

// A group's work-items all run on one thread, and no other reaches its local memory: whatever is not interrupted by
// another work-item's turn is atomic there. Exchanges and operations on it become a load, the operation and a store.
void simplify_local_atomics(llvm::Module& module);

} // namespace zeroth::codegen
