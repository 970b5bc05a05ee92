// The meaning of single operations on vectors, bit for bit.
#pragma once

#include "program.hpp"

namespace zeroth::random_programs {

// Of an operation whose result or first operand is a vector; `operands`: the values of its arguments.
uint64_t apply_vector(const Expr& e, const uint64_t operands[4]);

} // namespace zeroth::random_programs
