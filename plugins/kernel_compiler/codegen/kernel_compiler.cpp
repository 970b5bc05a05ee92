#include "kernel_compiler.hpp"

#include "choose_arms.hpp"
#include "dialect_calls.hpp"
#include "expand_queries.hpp"
#include "group_function.hpp"
#include "group_operations.hpp"
#include "kernel_body.hpp"
#include "kernel_metadata.hpp"
#include "lower_queries.hpp"
#include "lower_services.hpp"
#include "pipelines.hpp"
#include "regions/extra_cuts.hpp"
#include "regions/region_group.hpp"
#include "remarks.hpp"
#include "row_group.hpp"
#include "shared_group.hpp"
#include "target_machine.hpp"
#include "unmasked_gain.hpp"
#include "unnoticed_groups.hpp"
#include "vector_cost.hpp"
#include "vectorize/divergence.hpp"
#include "vectorize/expose_runs.hpp"
#include "vectorize/full_loops.hpp"
#include "vectorize/full_slices.hpp"
#include "vectorize/function_layout.hpp"
#include "vectorize/interleave_private.hpp"
#include "vectorize/last_rounds.hpp"
#include "vectorize/widen_function.hpp"
#include "width_plan.hpp"

#include <algorithm>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace zeroth::codegen {

namespace {

constexpr const char* SymbolPrefix = "zeroth_kernel.";
constexpr uint64_t WorthSharing = 100; // machine instructions of one part
constexpr uint32_t LongRow = 1024;     // work-items: what neighbouring rows share stays in a near cache

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
    item_bytes_ = lower_work_group_operations(*body_);
    expand_queries(*body_); // what these have added
    plan_ = plan_width(*body_, machine_, options_);
    loosen_narrow_barriers(*body_);
    code_.uses_barriers = calls_dialect(*body_, dialect::Barrier);
    code_.sub_group_size = plan_.lanes;
    if (options_.quick) plan_.parts = 1;
    code_.report.explain = options_.explain;
    bool plain = plan_.width() == 1 || (options_.quick && !plan_.uses_sub_groups);
    if (plain || !make_wide_forms()) {
      if (!plain && plan_.uses_sub_groups && required_sub_group_size(*body_) > 1)
        throw CodegenError("kernel " + code_.name + " requires sub-groups of " + std::to_string(plan_.lanes) +
                           " work-items, but must run " + code_.report.notes.front());
      make_plain_form();
    }
    if (code_.width == plan_.width())
      remark_width(code_.report, plan_, required_sub_group_size(*body_), options_.width, vector_bits(machine_));
    body_->eraseFromParent();
    make_entry(module_, code_.symbol, forms_);
    return code_;
  }

private:
  // W = 1: always right.
  void make_plain_form() {
    llvm::Function& slice = copy_of_body();
    expand_sub_group_queries(slice, 1);
    lower_sub_groups_of_one(slice);
    lower_item_queries(slice);
    lower_services(slice);
    lower_group_queries(slice);
    if (loops_run_plainly_) {
      choose_between_arms(slice);
      run_plain_loop_pipeline(slice, machine_);
    }
    code_.width = 1;
    if (plan_.uses_sub_groups) code_.sub_group_size = 1; // otherwise nobody can tell, and all tiers say the same
    forms_.clear();
    code_.scratch_slice = 0;
    Shape shape;
    shape.known_size = required_group_size(kernel_);
    if (groups_go_unnoticed(kernel_)) {
      shape.cut = Cut::MaskedRows;
      shape.long_row = LongRow;
    }
    add_form(slice, shape);
  }

  // The fast form for launches that fill whole slices, and the masked one for all others.
  bool make_wide_forms() {
    const bool all_full = !options_.quick && may_fill_slices() && calls_dialect(*body_, dialect::SubGroupSize);
    llvm::Function& source = make_source(all_full);
    if (options_.ir) append_ir(*options_.ir, source, "before widening");
    VectorCost cost;
    try {
      cost = fit_to_cost(source);
    } catch (const NotVectorizable& reason) {
      code_.report.notes.push_back(std::string("one work-item at a time: ") + reason.what());
      source.eraseFromParent();
      return false;
    }
    if (runs_plainly(cost)) {
      loops_run_plainly_ = true;
      code_.report.notes.push_back(
          "one work-item at a time: a loop of scattered accesses, or of branches after them, that each leaves when its "
          "own data ends");
      source.eraseFromParent();
      return false;
    }
    interleave_private_memory(source, plan_.lanes);
    code_.width = plan_.width();
    first_report_ = code_.report;
    const bool full = !options_.quick && may_fill_slices();
    const bool done = code_.uses_barriers || plan_.uses_sub_groups ? make_linear_forms(source, full, all_full)
                                                                   : make_row_forms(source, full, cost);
    source.eraseFromParent();
    return done;
  }

  // The body ready for widening. all_full: all sub-groups are.
  llvm::Function& make_source(bool all_full) {
    llvm::Function& source = copy_of_body();
    expand_sub_group_queries(source, plan_.lanes, all_full);
    run_canonical_pipeline(source, machine_);
    expose_runs(source);
    return source;
  }

  // Slices of the Rows form are whole sub-groups: there all_full holds.
  bool make_linear_forms(llvm::Function& source, bool full, bool all_full) {
    Shape rows = shape_of(Cut::Rows, plan_.parts), masked = shape_of(Cut::MaskedLinear, masked_parts_);
    if (full && !make_wide_form(source, rows)) return false;
    if (options_.engine == "fiber" || code_.engine == Engine::Fiber) masked.parts = plan_.parts; // stacks go by W
    llvm::Function& general = all_full ? make_source(false) : source;
    if (&general != &source) interleave_private_memory(general, plan_.lanes);
    const bool done = make_wide_form(general, masked);
    if (&general != &source) general.eraseFromParent();
    return done;
  }

  // The masked form first: it also runs slices that turn out not to be full, and what is left at the ends of rows.
  bool make_row_forms(llvm::Function& source, bool full, const VectorCost& cost) {
    Shape rows = shape_of(Cut::Rows, plan_.parts), masked = shape_of(Cut::MaskedRows, masked_parts_);
    if (full && !gains_without_masks(source, rows, masked)) {
      masked.parts = plan_.parts;
      full = false;
    }
    rows.whole_rows = rows.known_size[0] ? rows.known_size[0] % rows.width() == 0 : !plan_.has_loops;
    masked.whole_rows = full && rows.whole_rows && !rows.known_size[0];
    if (masked.whole_rows && !groups_go_unnoticed(kernel_)) masked.parts = 1; // rows may be short
    if (groups_go_unnoticed(kernel_)) {
      masked.long_row = plan_.has_loops ? masked.width() : LongRow; // loops may use what their group shares
      if (!plan_.has_loops) rows.long_row = LongRow;
    }
    if (!make_wide_form(source, masked)) return false;
    if (full && !make_wide_form(source, rows)) return false;
    std::reverse(forms_.begin(), forms_.end());
    const bool worthwhile = plan_.has_loops || cost.operations > WorthSharing;
    if (worthwhile && smaller_.function->hasNUsesOrMore(2)) {
      share(*smaller_.function);
      share_group(forms_.back(), *smaller_.function);
    }
    return true;
  }

  // One copy serves several forms.
  static void share(llvm::Function& slice) {
    for (llvm::User* user : slice.users())
      llvm::cast<llvm::CallBase>(user)->removeFnAttr(llvm::Attribute::AlwaysInline);
  }

  Shape shape_of(Cut cut, uint32_t parts) const { return {cut, plan_.lanes, parts, required_group_size(kernel_)}; }

  VectorCost fit_to_cost(llvm::Function& source) {
    FunctionLayout layout(source);
    Divergence divergence(layout, Shape{Cut::Rows, plan_.lanes, plan_.parts, required_group_size(kernel_)});
    unsigned bits = vector_bits(machine_);
    VectorCost cost = estimate_cost(layout, divergence, plan_.lanes, bits);
    if (options_.width == 0) {
      if (plan_.may_choose_lanes && plan_.lanes > bits / 64 && cost.wide_values > cost.narrow_values) {
        plan_.lanes = bits / 64;
        cost = estimate_cost(layout, divergence, plan_.lanes, bits);
      }
      plan_.parts = affordable_parts(plan_.parts, plan_.lanes, cost);
    }
    masked_parts_ = masked_parts(plan_, cost);
    return cost;
  }

  // Are vectors slower than work-items one by one? Never where each of these would need a fiber.
  bool runs_plainly(const VectorCost& cost) const {
    constexpr unsigned CertainRegions = 1000; // instructions
    return options_.width == 0 && plan_.may_choose_lanes && cost.is_scattered &&
           (!code_.uses_barriers || (options_.engine != "fiber" && body_->getInstructionCount() <= CertainRegions));
  }

  // Can any launch be cut into full slices? (see Cut::Rows)
  bool may_fill_slices() const {
    if (!llvm::isPowerOf2_32(plan_.lanes)) return false;
    std::array<uint32_t, 3> size = required_group_size(kernel_);
    return !size[0] || (size[0] % plan_.lanes == 0 && uint64_t(size[0]) * size[1] * size[2] % plan_.width() == 0);
  }

  // Null when the vectoriser gives up, which then is noted.
  llvm::Function* make_slice(llvm::Function& source, const Shape& shape, bool ask_for_bounds, KernelReport report) {
    llvm::ValueToValueMapTy map;
    llvm::Function *body = llvm::CloneFunction(&source, map), *slice = nullptr;
    try {
      bool expects_full = ask_for_bounds && (leave_last_rounds(*body, shape) || expect_full_slices(*body));
      if (shape.cut == Cut::Rows) expect_full_loops(*body, shape);
      slice = widen_function(*body, shape, report, expects_full ? smaller_ : SmallerSlice());
      if (options_.verify_each) verify(module_, "widening");
      lower_services(*slice);
      lower_group_queries(*slice);
      code_.report = std::move(report);
    } catch (const NotVectorizable& reason) {
      code_.report.notes.push_back(std::string("one work-item at a time: ") + reason.what());
    }
    body->eraseFromParent();
    return slice;
  }

  bool make_wide_form(llvm::Function& source, const Shape& shape) {
    const bool is_first = forms_.empty(), asks = shape.cut == Cut::Rows && smaller_.function;
    KernelReport before = code_.report;
    llvm::Function* slice = make_slice(source, shape, asks, first_report_);
    if (!slice) return false;
    if (!is_first && shape.cut != Cut::Rows) code_.report = std::move(before);
    add_form(*slice, shape);
    if (shape.cut == Cut::MaskedRows) smaller_ = {slice, shape.parts};
    return true;
  }

  void add_form(llvm::Function& slice, const Shape& shape) {
    uint64_t slice_bytes = llvm::alignTo(item_bytes_ * shape.width(), 64);
    llvm::Function* group = nullptr;
    code_.engine = choose_engine(slice);
    if (code_.engine == Engine::Region) {
      RegionGroup regions = make_region_group(slice, shape, item_bytes_);
      group = regions.group;
      slice_bytes += regions.slice_bytes;
    } else if (code_.engine == Engine::Fiber) {
      code_.width = std::min(code_.width, shape.width());
      lower_barriers_to_services(slice);
      group = make_fiber_group(slice, shape);
    } else {
      const bool has_rest = shape.whole_rows && !shape.known_size[0] && shape.parts > 1;
      group = keeps_to_rows(shape) ? make_row_group(slice, shape, has_rest ? smaller_ : SmallerSlice())
                                   : make_loop_group(slice, shape);
    }
    uint64_t slices = std::max<uint64_t>(1, code_.width / shape.width()); // of this form to one of W work-items
    code_.scratch_slice = std::max(code_.scratch_slice, slice_bytes * slices);
    // Short kernels that can tell their groups apart keep the loop over them: what is the same for all is done once.
    const bool is_called = shape.spans_groups() || plan_.has_loops || code_.engine == Engine::Fiber;
    forms_.push_back({shape, group, is_called ? nullptr : make_range(*group)});
    if (options_.verify_each) verify(module_, "forming groups");
  }

  // Where one form needs fibers, the device provides them for every launch.
  Engine choose_engine(llvm::Function& slice) {
    if (!code_.uses_barriers) return Engine::Loop;
    if (options_.engine == "fiber" || (!forms_.empty() && code_.engine == Engine::Fiber)) return Engine::Fiber;
    return limit_region_copies(slice) ? Engine::Region : Engine::Fiber;
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
  uint32_t masked_parts_ = 1;
  bool loops_run_plainly_ = false; // work-items one by one by choice
  KernelReport first_report_;      // of what is common to all forms
  SmallerSlice smaller_;           // what slices fall back on that are not full
  uint64_t item_bytes_ = 0;        // of scratch, for work-group operations
  llvm::SmallVector<Form> forms_;
  KernelCode code_;
};

} // namespace

KernelCode compile_kernel(llvm::Function& kernel, llvm::TargetMachine& machine, const CompileOptions& options) {
  return KernelCompiler(kernel, machine, options).compile();
}

} // namespace zeroth::codegen
