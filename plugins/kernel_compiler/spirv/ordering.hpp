// Memory semantics of SPIR-V → orderings of LLVM.
#pragma once

#include <llvm/Support/AtomicOrdering.h>

#include <cstdint>

namespace zeroth::spirv {

inline llvm::AtomicOrdering ordering(uint32_t semantics) {
  if (semantics & 0x10) return llvm::AtomicOrdering::SequentiallyConsistent;
  if ((semantics & 8) || (semantics & 6) == 6) return llvm::AtomicOrdering::AcquireRelease;
  if (semantics & 4) return llvm::AtomicOrdering::Release;
  if (semantics & 2) return llvm::AtomicOrdering::Acquire;
  return llvm::AtomicOrdering::Monotonic;
}

// Monotonic means: no fence is needed.
inline llvm::AtomicOrdering fence_ordering(uint32_t semantics) { return ordering(semantics); }

// Loads cannot release, stores cannot acquire: what does not apply is dropped.
inline llvm::AtomicOrdering load_ordering(uint32_t semantics) {
  const llvm::AtomicOrdering order = ordering(semantics);
  if (order == llvm::AtomicOrdering::Release) return llvm::AtomicOrdering::Monotonic;
  return order == llvm::AtomicOrdering::AcquireRelease ? llvm::AtomicOrdering::Acquire : order;
}

inline llvm::AtomicOrdering store_ordering(uint32_t semantics) {
  const llvm::AtomicOrdering order = ordering(semantics);
  if (order == llvm::AtomicOrdering::Acquire) return llvm::AtomicOrdering::Monotonic;
  return order == llvm::AtomicOrdering::AcquireRelease ? llvm::AtomicOrdering::Release : order;
}

} // namespace zeroth::spirv
