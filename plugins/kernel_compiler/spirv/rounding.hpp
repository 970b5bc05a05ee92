// Conversions with a rounding mode, in plain IR (no call, no change of the machine's mode), for scalars and vectors.
#pragma once

#include "emitter.hpp"

namespace zeroth::spirv {

enum class Rounding : uint32_t { NearestEven = 0, TowardZero = 1, Up = 2, Down = 3 };

// `fallback` is what the instruction rounds to when it carries no FPRoundingMode.
Rounding rounding_of(Emitter& e, const Instruction& inst, Rounding fallback);
// All take and give values of the same shape; `to` is the result type.
llvm::Value* float_to_float(Emitter& e, llvm::Value* v, llvm::Type* to, Rounding rounding);
llvm::Value* int_to_float(Emitter& e, llvm::Value* v, llvm::Type* to, bool is_signed, Rounding rounding);
llvm::Value* float_to_int(Emitter& e, llvm::Value* v, llvm::Type* to, bool is_signed, bool saturate, Rounding rounding);
// float ↔ the upper 16 bits of it (bfloat16 as an integer), to nearest even.
llvm::Value* float_to_bfloat_bits(Emitter& e, llvm::Value* v);
llvm::Value* bfloat_bits_to_float(Emitter& e, llvm::Value* v);

// Integer to integer: what does not fit becomes the nearest value that does.
llvm::Value* saturated(Emitter& e, llvm::Value* v, llvm::Type* type, bool from_signed, bool to_signed);

} // namespace zeroth::spirv
