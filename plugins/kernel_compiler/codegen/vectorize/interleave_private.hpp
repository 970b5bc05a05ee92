// Private arrays lie so that the same element of neighbouring work-items lies side by side.
#pragma once

#include <llvm/IR/Instructions.h>

namespace zeroth::codegen {

// Of arrays of one scalar type whose elements alone are accessed: element e of a part's lane l is to lie at
// (e * lanes + l) elements. The addresses are changed, the memory is marked; widening allocates it.
//
//   lane 0: a0 a1 a2 …   lane 1: a0 a1 a2 …      ▶      a0 of all lanes, a1 of all lanes, …     a[n] is a run
void interleave_private_memory(llvm::Function& function, unsigned lanes);

// Bytes between neighbouring lanes' copies of memory that is marked so; 0: their copies lie one after the other.
uint64_t interleaved_bytes(const llvm::AllocaInst& memory);

} // namespace zeroth::codegen
