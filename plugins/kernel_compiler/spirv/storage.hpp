// Storage classes of SPIR-V, the address spaces that stand for them, and the limits of the reader.
#pragma once

#include "decoder.hpp"

namespace zeroth::spirv {

enum class StorageClass : uint32_t {
  UniformConstant = 0,
  Input = 1,
  Workgroup = 4,
  CrossWorkgroup = 5,
  Private = 6,
  Function = 7,
  Generic = 8,
  Image = 11,
  CodeSectionINTEL = 5605,
  DeviceOnly = 5936,
  HostOnly = 5937,
};

// Address space of a pointer type (typed or untyped); throws ReadError for storage classes that kernels do not have.
uint32_t address_space(const Instruction& pointer_type);
uint32_t address_space(StorageClass storage, const Instruction& where);

inline constexpr uint64_t MaxArgumentBlock = 1u << 20;
inline constexpr uint64_t MaxLocalBytes = 1u << 30;   // one work-group variable
inline constexpr uint64_t MaxPrivateBytes = 1u << 24; // one function variable
inline constexpr uint64_t MaxGlobalBytes = 1u << 30;  // one program-scope variable
inline constexpr uint64_t MaxConstantElements = 1u << 22;
inline constexpr uint64_t MaxAggregateScalars = 1u << 12; // of a structure or array handled as one value
inline constexpr uint32_t MaxIntegerWidth = 4096;
inline constexpr uint32_t MaxVectorLength = 64;

} // namespace zeroth::spirv
