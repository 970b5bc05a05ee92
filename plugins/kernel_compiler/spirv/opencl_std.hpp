// The instructions of OpenCL.std. Each emitter gets the arguments as operands 0, 1, …; `name` is the instruction's
// name.
#pragma once

#include "emitter.hpp"

namespace zeroth::spirv::opencl_std {

using Emit = void (*)(Emitter& e, const Instruction& arguments, std::string_view name);

void common_clamp(Emitter& e, const Instruction& arguments, std::string_view name);
void common_extreme(Emitter& e, const Instruction& arguments, std::string_view name);
void common_mix(Emitter& e, const Instruction& arguments, std::string_view name);
void common_scale(Emitter& e, const Instruction& arguments, std::string_view name);
void common_sign(Emitter& e, const Instruction& arguments, std::string_view name);
void common_smoothstep(Emitter& e, const Instruction& arguments, std::string_view name);
void common_step(Emitter& e, const Instruction& arguments, std::string_view name);
void geometric_cross(Emitter& e, const Instruction& arguments, std::string_view name);
void geometric_distance(Emitter& e, const Instruction& arguments, std::string_view name);
void geometric_length(Emitter& e, const Instruction& arguments, std::string_view name);
void geometric_normalize(Emitter& e, const Instruction& arguments, std::string_view name);
void ignore(Emitter& e, const Instruction& arguments, std::string_view name);
void integer_abs(Emitter& e, const Instruction& arguments, std::string_view name);
void integer_abs_diff(Emitter& e, const Instruction& arguments, std::string_view name);
void integer_binary(Emitter& e, const Instruction& arguments, std::string_view name);
void integer_clamp(Emitter& e, const Instruction& arguments, std::string_view name);
void integer_count(Emitter& e, const Instruction& arguments, std::string_view name);
void integer_half_add(Emitter& e, const Instruction& arguments, std::string_view name);
void integer_mad_sat(Emitter& e, const Instruction& arguments, std::string_view name);
void integer_mul24(Emitter& e, const Instruction& arguments, std::string_view name);
void integer_mul_high(Emitter& e, const Instruction& arguments, std::string_view name);
void integer_rotate(Emitter& e, const Instruction& arguments, std::string_view name);
void integer_same(Emitter& e, const Instruction& arguments, std::string_view name);
void integer_upsample(Emitter& e, const Instruction& arguments, std::string_view name);
void math_binary(Emitter& e, const Instruction& arguments, std::string_view name);
void math_call(Emitter& e, const Instruction& arguments, std::string_view name);
void math_divide(Emitter& e, const Instruction& arguments, std::string_view name);
void math_fdim(Emitter& e, const Instruction& arguments, std::string_view name);
void math_fract(Emitter& e, const Instruction& arguments, std::string_view name);
void math_ilogb(Emitter& e, const Instruction& arguments, std::string_view name);
void math_magnitude(Emitter& e, const Instruction& arguments, std::string_view name);
void math_modf(Emitter& e, const Instruction& arguments, std::string_view name);
void math_nan(Emitter& e, const Instruction& arguments, std::string_view name);
void math_recip(Emitter& e, const Instruction& arguments, std::string_view name);
void math_ternary(Emitter& e, const Instruction& arguments, std::string_view name);
void math_unary(Emitter& e, const Instruction& arguments, std::string_view name);
void math_with_int(Emitter& e, const Instruction& arguments, std::string_view name);
void math_with_pointer(Emitter& e, const Instruction& arguments, std::string_view name);
void print(Emitter& e, const Instruction& arguments, std::string_view name);
void relational_bitselect(Emitter& e, const Instruction& arguments, std::string_view name);
void relational_select(Emitter& e, const Instruction& arguments, std::string_view name);
void vector_load(Emitter& e, const Instruction& arguments, std::string_view name);
void vector_load_half(Emitter& e, const Instruction& arguments, std::string_view name);
void vector_shuffle(Emitter& e, const Instruction& arguments, std::string_view name);
void vector_store(Emitter& e, const Instruction& arguments, std::string_view name);
void vector_store_half(Emitter& e, const Instruction& arguments, std::string_view name);

} // namespace zeroth::spirv::opencl_std
