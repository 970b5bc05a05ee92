// Loads of whole cache lines as two of half a line, for processors that fetch ahead better so.
#pragma once

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace zeroth::codegen {

// Zen 4 takes 512 bits from its caches in two steps anyway. Streams whose lines it sees twice it fetches further ahead:
// up to 1.25 times as fast from memory. Other machines keep their loads. Last, since passes on IR would join the
// halves.
void halve_loads(llvm::Module& module, const llvm::TargetMachine& machine);

} // namespace zeroth::codegen
