// A program as an OpenCL SPIR-V 1.4 module with one kernel named "program":
//   kernel void program(global uint* input, global uint* output, global uint* counters, uint u0, uint u1, uint u2, uint
//   u3)
#pragma once

#include "program.hpp"

namespace zeroth::random_programs {

std::vector<uint32_t> emit_spirv(const Program& program);

} // namespace zeroth::random_programs
