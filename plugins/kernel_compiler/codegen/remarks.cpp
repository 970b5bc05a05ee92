#include "remarks.hpp"

#include "dialect_calls.hpp"
#include "width_plan.hpp"

#include <algorithm>
#include <map>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>

namespace zeroth::codegen {

namespace {

uint32_t line_of(const llvm::Instruction& instruction) {
  const llvm::DebugLoc& place = instruction.getDebugLoc();
  return place ? place.getLine() : 0;
}

// The first line of the block that the source knows.
uint32_t line_of(const llvm::BasicBlock& block) {
  for (const llvm::Instruction& instruction : block)
    if (const uint32_t line = line_of(instruction)) return line;
  return 0;
}

void add(KernelReport& report, uint32_t line, std::string text) { report.remarks.push_back({line, std::move(text)}); }

// What an address leads into: "`x`", "argument 3", "private memory `t`".
std::string memory_name(const llvm::Value* address) {
  const llvm::Value* object = llvm::getUnderlyingObject(address, 0);
  const std::string name = object->getName().str();
  if (llvm::isa<llvm::AllocaInst>(object)) return name.empty() ? "private memory" : "private `" + name + "`";
  if (name.empty()) return "memory";
  return name.starts_with("argument ") ? name : "`" + name + "`";
}

std::string plural(uint64_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string instruction_words(const llvm::Instruction& instruction) {
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return "an atomic " + llvm::AtomicRMWInst::getOperationName(update->getOperation()).str();
  if (llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) return "an atomic compare and exchange";
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const std::string_view dialect = dialect_name(call);
    if (dialect == dialect::Printf) return "a printf";
    const llvm::Function* callee = call->getCalledFunction();
    return "a call of " + (callee ? callee->getName().str() : std::string("a function pointer"));
  }
  if (instruction.isAtomic()) return llvm::isa<llvm::LoadInst>(instruction) ? "an atomic load" : "an atomic store";
  return std::string("instruction ") + instruction.getOpcodeName();
}

} // namespace

void remark_access(KernelReport& report, const llvm::Instruction& access, const llvm::Value* address, int64_t stride,
                   bool wide, bool checked) {
  if (!report.explain || (wide && !checked)) return;
  const bool reads = llvm::isa<llvm::LoadInst>(access);
  const std::string act = (reads ? "reads " : "writes ") + memory_name(address);
  if (wide)
    return add(report, line_of(access),
               act +
                   " with an index that could wrap around at 32 bits: checked at run time (an index of type size_t, or "
                   "signed arithmetic, needs no check)");
  const std::string kind = reads ? "gather" : "scatter";
  if (stride)
    return add(report, line_of(access),
               act + " " + std::to_string(stride) + " bytes apart (" + kind +
                   "): faster when neighbouring work-items use neighbouring elements");
  add(report, line_of(access), act + " at places without a pattern (" + kind + "): one access for each work-item");
}

void remark_scalarised(KernelReport& report, const llvm::Instruction& instruction) {
  if (!report.explain) return;
  add(report, line_of(instruction), instruction_words(instruction) + " runs one work-item at a time");
}

void remark_masked(KernelReport& report, const llvm::BasicBlock& block, bool skipped_when_idle) {
  if (!report.explain || block.size() == 1) return; // an edge
  add(report, line_of(block),
      std::string("runs under a mask, because work-items differ in whether they come here") +
          (skipped_when_idle ? "; skipped when none of a slice does" : "; short enough to run always"));
}

void remark_divergent_loop(KernelReport& report, const llvm::BasicBlock& header) {
  if (!report.explain) return;
  add(report, line_of(header),
      "a loop that work-items leave at different times: a slice goes on until its last one has left");
}

void remark_width(KernelReport& report, const WidthPlan& plan, uint32_t required_sub_group_size, uint32_t asked_width,
                  unsigned vector_bits) {
  if (!report.explain) return;
  std::string text = plural(plan.width(), "work-item") + " a slice: ";
  if (plan.width() == 1) {
    text += asked_width == 1 ? "asked for" : "the kernel is too long for vectors";
  } else {
    text += std::to_string(plan.lanes) + " lanes ";
    if (required_sub_group_size)
      text += "(the required sub-group size)";
    else
      text += "(" + std::to_string(vector_bits) + "-bit vectors)";
    if (plan.parts > 1) text += ", " + std::to_string(plan.parts) + " such vectors side by side to hide latency";
    if (asked_width) text += "; a width of " + std::to_string(asked_width) + " was asked for";
  }
  report.remarks.insert(report.remarks.begin(), {0, std::move(text)});
}

// ---- spills --------------------------------------------------------------------------------------------------------

namespace {

struct Spills {
  uint32_t line = 0;
  uint64_t spills = 0, reloads = 0;
  bool in_loop = false;
};

constexpr const char* Allocator = "regalloc";

uint64_t number(llvm::StringRef text) {
  uint64_t value = 0;
  return text.getAsInteger(10, value) ? 0 : value;
}

} // namespace

struct SpillWatch::Handler final : llvm::DiagnosticHandler {
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    const auto* remark = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info);
    if (!remark) return false;
    if (remark->getPassName() != Allocator) return true;
    Spills found{remark->getLocation().isValid() ? remark->getLocation().getLine() : 0};
    for (const auto& argument : remark->getArgs()) {
      if (argument.Key == "NumSpills" || argument.Key == "NumFoldedSpills") found.spills += number(argument.Val);
      if (argument.Key == "NumReloads" || argument.Key == "NumFoldedReloads" ||
          argument.Key == "NumZeroCostFoldedReloads")
        found.reloads += number(argument.Val);
    }
    found.in_loop = remark->getRemarkName() == "LoopSpillReloadCopies";
    if (found.spills || found.reloads) by_function[remark->getFunction().getName().str()].push_back(found);
    return true;
  }
  bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override { return pass == Allocator; }
  bool isAnyRemarkEnabled() const override { return true; }

  std::map<std::string, std::vector<Spills>> by_function;
};

SpillWatch::SpillWatch(llvm::LLVMContext& context) : context_(context) {
  auto handler = std::make_unique<Handler>();
  handler_ = handler.get();
  context.setDiagnosticHandler(std::move(handler));
}

SpillWatch::~SpillWatch() { context_.setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>()); }

void SpillWatch::report(KernelCode& kernel) const {
  std::map<uint32_t, Spills> worst; // by line: loops are told with those around them
  for (const auto& [function, found] : handler_->by_function) {
    // The entry, and what it has not inlined ("<kernel>.body.w16…").
    if (function != kernel.symbol && !function.starts_with(kernel.name + ".")) continue;
    for (const Spills& s : found) {
      Spills& most = worst[s.line];
      if (s.in_loop && s.spills + s.reloads > most.spills + most.reloads) most = s;
    }
  }
  for (const auto& [line, s] : worst)
    if (s.spills + s.reloads != 0)
      add(kernel.report, line,
          "more values than registers, in a loop of the kernel or the one over its slices: " +
              plural(s.spills, "spill") + " to memory and " + plural(s.reloads, "reload"));
}

// ---- words ---------------------------------------------------------------------------------------------------------

namespace {

std::string figures(const KernelReport& r) {
  std::string text = "memory accesses: " + std::to_string(r.contiguous) + " in whole vectors, " +
                     std::to_string(r.uniform) + " once a slice, " + plural(r.gathers, "gather") + " and scatters; " +
                     plural(r.masked_blocks, "block") + " under masks, " + plural(r.divergent_loops, "divergent loop") +
                     ", " + plural(r.scalarised, "instruction") + " one work-item at a time";
  return text;
}

} // namespace

std::string summary(const KernelCode& kernel) {
  std::string text = "kernel " + kernel.name + ": " + std::to_string(kernel.width) + " work-items a slice, engine " +
                     engine_name(kernel.engine) + "\n";
  for (const std::string& note : kernel.report.notes) text += "  " + note + "\n";
  if (!kernel.report.explain) return text;
  std::vector<Remark> remarks = kernel.report.remarks;
  std::stable_sort(remarks.begin(), remarks.end(), [](const Remark& a, const Remark& b) { return a.line < b.line; });
  while (!remarks.empty()) {
    const Remark first = remarks.front();
    const auto equal = [&](const Remark& r) { return r.line == first.line && r.text == first.text; };
    const auto count = std::count_if(remarks.begin(), remarks.end(), equal);
    std::erase_if(remarks, equal);
    text += "  " + (first.line ? "line " + std::to_string(first.line) + ": " : std::string()) + first.text +
            (count > 1 ? " (" + std::to_string(count) + " times)" : std::string()) + "\n";
  }
  if (kernel.width > 1) text += "  " + figures(kernel.report) + "\n";
  if (kernel.private_bytes || kernel.scratch_slice)
    text += "  memory: " + std::to_string(kernel.private_bytes) + " private bytes a work-item, " +
            std::to_string(kernel.scratch_slice) + " bytes a slice live across barriers\n";
  return text;
}

} // namespace zeroth::codegen
