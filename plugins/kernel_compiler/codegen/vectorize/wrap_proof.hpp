// Proofs that lane arithmetic does not wrap around: only then may a widened index stay "base plus lane".
#pragma once

#include "../slice_function.hpp"

namespace llvm {
class Value;
}

namespace zeroth::codegen {

class Divergence;

// For a strided value v of a narrow integer type: do all work-items of a part hold v(first) + stride * lane without
// wrapping around in the type, seen as signed (or unsigned)?
bool lanes_do_not_wrap(const llvm::Value* value, bool is_signed, const Divergence& divergence, const Shape& shape);

// Does a part of a strided value start at a multiple of its length, stride * lanes, a power of two? Then it crosses no
// multiple of that length, the ends of the type (seen as signed or unsigned) among them.
bool lies_in_one_block(const llvm::Value* value, int64_t stride, const Shape& shape, bool is_signed);

// Zero bits at the low end of `value` (of its first work-item in each part) that are certain.
unsigned certain_low_zeros(const llvm::Value* value, const Shape& shape);

} // namespace zeroth::codegen
