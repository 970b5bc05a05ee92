// How many work-items a slice of a kernel holds.
#pragma once

#include "codegen.hpp"

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace zeroth::codegen {

struct WidthPlan {
  uint32_t lanes = 1; // of a part: the machine's vector, or the sub-group
  uint32_t parts = 1;
  bool uses_sub_groups = false;
  uint32_t width() const { return lanes * parts; }
};

WidthPlan plan_width(llvm::Function& body, const llvm::TargetMachine& machine, const CompileOptions& options);

} // namespace zeroth::codegen
