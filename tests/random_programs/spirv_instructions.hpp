// The SPIR-V instruction of each operation that has one.
#pragma once

#include "program.hpp"

#include <algorithm>
#include <spirv/unified1/OpenCL.std.h>
#include <spirv/unified1/spirv.hpp>

namespace zeroth::random_programs {

struct Instruction {
  Op op;
  uint32_t opcode;
  bool extended = false; // of OpenCL.std
};

inline constexpr Instruction Instructions[] = {
    {Op::Add, spv::OpIAdd},
    {Op::Sub, spv::OpISub},
    {Op::Mul, spv::OpIMul},
    {Op::And, spv::OpBitwiseAnd},
    {Op::Or, spv::OpBitwiseOr},
    {Op::Xor, spv::OpBitwiseXor},
    {Op::Not, spv::OpNot},
    {Op::Shl, spv::OpShiftLeftLogical},
    {Op::ShrU, spv::OpShiftRightLogical},
    {Op::ShrS, spv::OpShiftRightArithmetic},
    {Op::DivU, spv::OpUDiv},
    {Op::RemU, spv::OpUMod},
    {Op::DivS, spv::OpSDiv},
    {Op::RemS, spv::OpSRem},
    {Op::MinU, OpenCLLIB::UMin, true},
    {Op::MaxU, OpenCLLIB::UMax, true},
    {Op::MinS, OpenCLLIB::SMin, true},
    {Op::MaxS, OpenCLLIB::SMax, true},
    {Op::PopCount, OpenCLLIB::Popcount, true},
    {Op::Clz, OpenCLLIB::Clz, true},
    {Op::FAdd, spv::OpFAdd},
    {Op::FSub, spv::OpFSub},
    {Op::FMul, spv::OpFMul},
    {Op::FMin, OpenCLLIB::Fmin, true},
    {Op::FMax, OpenCLLIB::Fmax, true},
    {Op::FAbs, OpenCLLIB::Fabs, true},
    {Op::Equal, spv::OpIEqual},
    {Op::NotEqual, spv::OpINotEqual},
    {Op::LessU, spv::OpULessThan},
    {Op::LessS, spv::OpSLessThan},
    {Op::FLess, spv::OpFOrdLessThan},
    {Op::LogicalAnd, spv::OpLogicalAnd},
    {Op::LogicalOr, spv::OpLogicalOr},
    {Op::LogicalNot, spv::OpLogicalNot},
    {Op::Select, spv::OpSelect},
    {Op::ZeroExtend64, spv::OpUConvert},
    {Op::SignExtend64, spv::OpSConvert},
    {Op::Truncate32, spv::OpUConvert},
    {Op::SToF, spv::OpConvertSToF},
    {Op::FToS, spv::OpConvertFToS},
    {Op::FloatBits, spv::OpBitcast},
};

inline const Instruction& instruction_of(Op op) {
  return *std::find_if(std::begin(Instructions), std::end(Instructions),
                       [op](const Instruction& i) { return i.op == op; });
}

} // namespace zeroth::random_programs
