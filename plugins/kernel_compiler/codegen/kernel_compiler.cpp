#include "kernel_compiler.hpp"

#include "dialect_calls.hpp"
#include "expand_queries.hpp"
#include "group_function.hpp"
#include "group_operations.hpp"
#include "kernel_body.hpp"
#include "lower_queries.hpp"
#include "lower_services.hpp"
#include "pipelines.hpp"
#include "vectorize/function_layout.hpp"
#include "vectorize/widen_function.hpp"
#include "width_plan.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

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
      : kernel_(kernel), module_(*kernel.getParent()), machine_(machine), options_(options) {}

  KernelCode compile() {
    code_.name = kernel_.getName().str();
    code_.symbol = SymbolPrefix + code_.name;
    KernelBody body = make_kernel_body(kernel_);
    body_ = body.function;
    code_.local_bytes = body.local_bytes;
    code_.private_bytes = private_bytes(*body_);
    lower_async_copies(*body_);
    code_.scratch_slice = lower_work_group_operations(*body_);
    drop_narrow_barriers(*body_);
    code_.uses_barriers = calls_dialect(*body_, dialect::Barrier);
    plan_ = plan_width(*body_, machine_, options_);
    if (plan_.width() == 1 || !make_wide_forms()) make_plain_form();
    body_->eraseFromParent();
    make_entry(module_, code_.symbol, forms_);
    return code_;
  }

private:
  // W = 1: always right.
  void make_plain_form() {
    llvm::Function& slice = copy_of_body();
    expand_queries(slice, 1);
    lower_sub_groups_of_one(slice);
    lower_item_queries(slice);
    code_.width = code_.sub_group_size = 1;
    forms_.clear();
    add_form(slice, Shape());
  }

  // The fast form for launches that fill whole slices, and the masked one for all others.
  bool make_wide_forms() {
    llvm::Function& source = copy_of_body();
    expand_queries(source, plan_.lanes);
    run_canonical_pipeline(source, machine_);
    code_.width = plan_.width();
    code_.sub_group_size = plan_.lanes;
    code_.scratch_slice *= code_.width;
    bool linear = code_.uses_barriers || plan_.uses_sub_groups;
    bool done =
        make_wide_form(source, Cut::Rows) && make_wide_form(source, linear ? Cut::MaskedLinear : Cut::MaskedRows);
    if (!done) code_.scratch_slice /= code_.width;
    source.eraseFromParent();
    return done;
  }

  bool make_wide_form(llvm::Function& source, Cut cut) {
    Shape shape{cut, plan_.lanes, plan_.parts};
    llvm::ValueToValueMapTy map;
    llvm::Function* body = llvm::CloneFunction(&source, map);
    KernelReport report;
    try {
      llvm::Function* slice = widen_function(*body, shape, report);
      if (options_.verify_each) verify(module_, "widening");
      if (cut == Cut::Rows) code_.report = report;
      add_form(*slice, shape);
    } catch (const NotVectorizable& reason) {
      code_.report.notes.push_back(std::string("one work-item at a time: ") + reason.what());
    }
    body->eraseFromParent();
    return code_.report.notes.empty();
  }

  void add_form(llvm::Function& slice, const Shape& shape) {
    lower_services(slice);
    lower_group_queries(slice);
    code_.engine = code_.uses_barriers ? Engine::Fiber : Engine::Loop;
    if (code_.uses_barriers) lower_barriers_to_services(slice);
    llvm::Function* group = code_.uses_barriers ? make_fiber_group(slice, shape) : make_loop_group(slice, shape);
    forms_.push_back({shape, make_range(*group)});
  }

  llvm::Function& copy_of_body() {
    llvm::ValueToValueMapTy map;
    return *llvm::CloneFunction(body_, map);
  }

  llvm::Function& kernel_;
  llvm::Module& module_;
  llvm::TargetMachine& machine_;
  const CompileOptions& options_;
  llvm::Function* body_ = nullptr;
  WidthPlan plan_;
  llvm::SmallVector<Form> forms_;
  KernelCode code_;
};

} // namespace

KernelCode compile_kernel(llvm::Function& kernel, llvm::TargetMachine& machine, const CompileOptions& options) {
  return KernelCompiler(kernel, machine, options).compile();
}

} // namespace zeroth::codegen
