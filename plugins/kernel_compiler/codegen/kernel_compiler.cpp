#include "kernel_compiler.hpp"

#include "dialect_calls.hpp"
#include "expand_queries.hpp"
#include "group_function.hpp"
#include "group_operations.hpp"
#include "kernel_body.hpp"
#include "lower_queries.hpp"
#include "lower_services.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace zeroth::codegen {

namespace {

constexpr const char* SymbolPrefix = "zeroth_kernel.";

uint64_t private_bytes(const llvm::Function& body) {
  uint64_t bytes = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(body))
    if (const auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      bytes += memory->getAllocationSize(body.getParent()->getDataLayout()).value_or(llvm::TypeSize::getFixed(0));
  return bytes;
}

class KernelCompiler {
public:
  KernelCompiler(llvm::Function& kernel, llvm::TargetMachine& machine, const CompileOptions& options)
      : kernel_(kernel), machine_(machine), options_(options) {}

  KernelCode compile() {
    code_.name = kernel_.getName().str();
    code_.symbol = SymbolPrefix + code_.name;
    KernelBody body = make_kernel_body(kernel_);
    code_.local_bytes = body.local_bytes;
    code_.private_bytes = private_bytes(*body.function);
    lower_async_copies(*body.function);
    unsigned slot_bytes = lower_work_group_operations(*body.function);
    drop_narrow_barriers(*body.function);
    code_.uses_barriers = calls_dialect(*body.function, dialect::Barrier);
    code_.scratch_slice = slot_bytes;
    make_plain_form(*body.function);
    return code_;
  }

private:
  // W = 1: always right.
  void make_plain_form(llvm::Function& slice) {
    expand_queries(slice, 1);
    lower_sub_groups_of_one(slice);
    lower_services(slice);
    lower_item_queries(slice);
    lower_group_queries(slice);
    code_.engine = code_.uses_barriers ? Engine::Fiber : Engine::Loop;
    if (code_.uses_barriers) lower_barriers_to_services(slice);
    Shape shape;
    llvm::Function* group = code_.uses_barriers ? make_fiber_group(slice, shape) : make_loop_group(slice, shape);
    Form form{shape, make_range(*group)};
    make_entry(*kernel_.getParent(), code_.symbol, form);
  }

  llvm::Function& kernel_;
  llvm::TargetMachine& machine_;
  const CompileOptions& options_;
  KernelCode code_;
};

} // namespace

KernelCode compile_kernel(llvm::Function& kernel, llvm::TargetMachine& machine, const CompileOptions& options) {
  return KernelCompiler(kernel, machine, options).compile();
}

} // namespace zeroth::codegen
