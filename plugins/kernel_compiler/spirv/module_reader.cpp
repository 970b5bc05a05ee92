#include "module_reader.hpp"

#include "../llvm_versions.hpp"
#include "debug_info.hpp"
#include "emitter.hpp"
#include "error.hpp"

#include <llvm/IR/DebugProgramInstruction.h>

#include <algorithm>

namespace zeroth::spirv {
namespace {

constexpr const char* DataLayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
constexpr const char* Triple = "x86_64-unknown-linux-gnu";

} // namespace

ModuleReader::ModuleReader(const ModuleIndex& index, Layout& layout, const ReadOptions& options,
                           llvm::LLVMContext& context)
    : index(index), layout(layout), options(options), context(context),
      module_(std::make_unique<llvm::Module>(options.module_name, context)), types_(index.module.bound),
      constants_(index.module.bound), in_progress_(index.module.bound) {
  module_->setDataLayout(DataLayout);
  llvm_version::set_triple(*module_, llvm::Triple(Triple));
  if (options.debug_info) debug_ = DebugInfo::create(*this);
  for (const Instruction& inst : index.module.instructions)
    if (inst.op == Op::FunctionCall || inst.op == Op::ConstantFunctionPointerINTEL) called_[inst.operand(0)] = true;
}

// After an error blocks are unfinished; LLVM keeps debug records at their ends apart and forgets those.
ModuleReader::~ModuleReader() {
  if (!module_) return;
  for (llvm::Function& function : *module_)
    for (llvm::BasicBlock& block : function)
      if (llvm::DbgMarker* records = block.getTrailingDbgRecords()) {
        records->eraseFromParent();
        block.deleteTrailingDbgRecords();
      }
}

std::unique_ptr<llvm::Module> ModuleReader::run(const Inspection& info) {
  check_recursion();
  read_kernels(info);
  if (options.exports) read_exports();
  read_pending();
  if (debug_) debug_->finish();
  return std::move(module_);
}

void ModuleReader::read_kernels(const Inspection& info) {
  for (const std::string& name : options.kernels)
    if (std::ranges::find(index.entry_points, name, &EntryPoint::name) == index.entry_points.end())
      throw ReadError("there is no kernel named " + name);
  for (size_t i = 0; i < index.entry_points.size(); ++i) {
    const EntryPoint& entry = index.entry_points[i];
    if (!options.kernels.empty() && std::ranges::find(options.kernels, entry.name) == options.kernels.end()) continue;
    make_kernel(entry, info.kernels[i]);
  }
}

void ModuleReader::read_exports() {
  for (const FunctionRange& range : index.functions) {
    const Linkage linkage = index.linkage(range.id);
    const bool is_entry =
        std::ranges::find(index.entry_points, range.id, &EntryPoint::function) != index.entry_points.end();
    if (linkage != Linkage::None && linkage != Linkage::Import && !is_entry) function(range.id);
  }
  for (const Instruction& inst : index.module.instructions) {
    if (inst.op == Op::Function) break;
    if (inst.op != Op::Variable) continue;
    const Linkage linkage = index.linkage(inst.result);
    if (linkage != Linkage::None && linkage != Linkage::Import) global(inst);
  }
}

void ModuleReader::read_pending() {
  while (!pending_.empty()) {
    const FunctionRange& range = *pending_.front();
    pending_.pop_front();
    Emitter emitter(*this, *functions_.at(range.id));
    emitter.emit_body(range);
  }
}

// Kernels cannot recurse: there is no stack whose depth anybody could know, and OpenCL forbids it.
void ModuleReader::check_recursion() {
  std::vector<std::vector<size_t>> calls(index.functions.size());
  for (size_t f = 0; f < index.functions.size(); ++f)
    for (size_t i = index.functions[f].body; i < index.functions[f].end; ++i) {
      const Instruction& inst = index.module.instructions[i];
      if (inst.op != Op::FunctionCall) continue;
      const auto callee = index.function_by_id.find(inst.operand(0));
      if (callee == index.function_by_id.end()) inst.fail("calls something that is no function");
      calls[f].push_back(callee->second);
    }
  enum : uint8_t { New, Open, Done };
  std::vector<uint8_t> state(calls.size(), New);
  for (size_t root = 0; root < calls.size(); ++root) {
    std::vector<std::pair<size_t, size_t>> path; // function, next callee
    if (state[root] == New) path.emplace_back(root, 0), state[root] = Open;
    while (!path.empty()) {
      auto& [f, next] = path.back();
      if (next == calls[f].size()) {
        state[f] = Done;
        path.pop_back();
        continue;
      }
      const size_t callee = calls[f][next++];
      if (state[callee] == Open)
        index.module.instructions[index.functions[callee].first].fail("calls itself: recursion is not supported");
      if (state[callee] == New) state[callee] = Open, path.emplace_back(callee, 0);
    }
  }
}

} // namespace zeroth::spirv
