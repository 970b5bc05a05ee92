// Fills KernelReport::remarks: what keeps a kernel from running faster, in words that its author can act on. Every
// function does nothing unless the report asks for remarks, so that compiles without a reader pay nothing.
#pragma once

#include "codegen.hpp"

#include <memory>

namespace llvm {
class BasicBlock;
class Instruction;
class LLVMContext;
class TargetMachine;
class Value;
} // namespace llvm

namespace zeroth::codegen {

struct WidthPlan;

// A load or store. `stride`: bytes between neighbouring work-items, 0: none that is known. `wide`: it is made of whole
// vectors, after a check at run time if `checked`.
void remark_access(KernelReport& report, const llvm::Instruction& access, const llvm::Value* address, int64_t stride,
                   bool wide, bool checked);
// What runs once for each active work-item.
void remark_scalarised(KernelReport& report, const llvm::Instruction& instruction);
void remark_masked(KernelReport& report, const llvm::BasicBlock& block, bool skipped_when_idle);
void remark_divergent_loop(KernelReport& report, const llvm::BasicBlock& header);
void remark_width(KernelReport& report, const WidthPlan& plan, uint32_t required_sub_group_size, uint32_t asked_width,
                  unsigned vector_bits);

// While it lives, what the register allocator spills in functions of the context is kept by function.
class SpillWatch {
public:
  explicit SpillWatch(llvm::LLVMContext& context);
  ~SpillWatch();
  SpillWatch(const SpillWatch&) = delete;
  // Adds what belongs to the kernel's code.
  void report(KernelCode& kernel) const;

private:
  struct Handler;
  llvm::LLVMContext& context_;
  Handler* handler_; // owned by the context
};

// One paragraph: the kernel's form, its reasons with equal ones counted, the figures.
std::string summary(const KernelCode& kernel);

} // namespace zeroth::codegen
