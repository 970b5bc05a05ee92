// Whether work-items' values run (first + stride · lane) is told by sums, truncations and extensions. Simplification writes
// these as shifts, masks and disjoint bits, and leaves promises on them.
//
// A promise (no wrapping, disjoint bits, not negative) holds for the work-items that execute an instruction; the first of a
// slice, whose value stands for the run, need not be one of them. After this pass what runs is made of instructions that
// mean the same without their flags: widening reads the flags as facts about the run, and copies none of them.
#pragma once

namespace llvm {
class Function;
}

namespace zeroth::codegen {

//   (x << a) >> b     → extend(truncate(x)) << (a - b)     a | b, disjoint      → a + b
//   x & (2^n - 1)     → extend(truncate(x))                zext x, not negative → sext x         n of 8, 16, 32
void expose_runs(llvm::Function& function);

} // namespace zeroth::codegen
