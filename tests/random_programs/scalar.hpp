// The meaning of single operations on single values, bit for bit.
#pragma once

#include "program.hpp"

namespace zeroth::random_programs {

// `type` is the type of the first operand (of the chosen ones for Select). Results are zero-extended bit patterns.
uint64_t apply_scalar(Op op, Type type, const uint64_t operands[3]);

uint32_t apply_atomic(AtomicOp op, uint32_t old, uint32_t operand);

// One result per active work-item, in their order. `lanes`: where they are in a sub-group of `size` at most.
std::vector<uint32_t> apply_sub_group(SubGroupOp op, const std::vector<uint32_t>& values,
                                      const std::vector<uint32_t>& lanes, uint32_t size);

} // namespace zeroth::random_programs
