// Blocks of a function body: split, ordered so that definitions come before uses, read, phis completed.
#include "debug_info.hpp"
#include "emitter.hpp"
#include "error.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/MDBuilder.h>

namespace zeroth::spirv {
namespace {

bool is_terminator(Op op) {
  switch (op) {
  case Op::Branch:
  case Op::BranchConditional:
  case Op::Switch:
  case Op::Return:
  case Op::ReturnValue:
  case Op::Unreachable:
    return true;
  default:
    return false;
  }
}

} // namespace

void Emitter::split_blocks(const FunctionRange& range) {
  const std::vector<Instruction>& list = reader.index.module.instructions;
  for (size_t i = range.body; i < range.end; ++i) {
    if (list[i].op != Op::Label) {
      if (list[i].op == Op::Line || list[i].op == Op::NoLine || list[i].op == Op::Nop || list[i].op == Op::ExtInst)
        continue;
      list[i].fail("stands outside any block");
    }
    Block block{list[i].result, i + 1, i + 1, nullptr};
    while (block.terminator < range.end && !is_terminator(list[block.terminator].op)) {
      if (list[block.terminator].op == Op::Label)
        list[block.terminator].fail("begins before the block above has ended");
      ++block.terminator;
    }
    if (block.terminator == range.end) list[i].fail("begins a block without an end");
    i = block.terminator;
    block_by_label_[block.label] = blocks_.size();
    blocks_.push_back(block);
  }
  if (blocks_.empty()) list[range.first].fail("has a body without blocks");
}

// Reverse post-order from the first block: producers do not always keep the order that the rules ask for. Blocks that
// cannot be reached are left out.
std::vector<size_t> Emitter::block_order() {
  const std::vector<Instruction>& list = reader.index.module.instructions;
  std::vector<size_t> order;
  std::vector<uint8_t> seen(blocks_.size());
  struct Visit {
    size_t block;
    std::vector<uint32_t> next;
  };
  std::vector<Visit> path;
  const auto enter = [&](size_t block) {
    seen[block] = 1;
    path.push_back({block, successors(list[blocks_[block].terminator])});
  };
  enter(0);
  while (!path.empty()) {
    if (path.back().next.empty()) {
      order.push_back(path.back().block);
      path.pop_back();
      continue;
    }
    const uint32_t label = path.back().next.back();
    path.back().next.pop_back();
    const auto found = block_by_label_.find(label);
    if (found == block_by_label_.end())
      list[blocks_[path.back().block].terminator].fail("goes to id " + std::to_string(label) +
                                                       ", which is no block of this function");
    if (!seen[found->second]) enter(found->second);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

void Emitter::bind_parameters(const FunctionRange& range) {
  for (unsigned i = 0; i < range.parameters.size(); ++i) {
    llvm::Argument* argument = function.getArg(i);
    const std::string_view name = reader.index.name(range.parameters[i]->result);
    if (!name.empty()) argument->setName(llvm::StringRef(name.data(), name.size()));
    locals_[range.parameters[i]->result] = argument;
  }
}

void Emitter::emit_body(const FunctionRange& range) {
  function_id = range.id;
  split_blocks(range);
  entry_ = llvm::BasicBlock::Create(context, "entry", &function);
  bind_parameters(range);
  const std::vector<size_t> order = block_order();
  for (size_t i : order) blocks_[i].llvm = llvm::BasicBlock::Create(context, "", &function);
  if (reader.debug()) reader.debug()->begin_function(*this, range);
  for (size_t i : order) emit_block(blocks_[i]);
  ir.SetInsertPoint(entry_);
  ir.SetCurrentDebugLocation({});
  ir.CreateBr(blocks_[0].llvm);
  complete_phis();
  attach_loop_hints();
}

void Emitter::emit_block(const Block& block) {
  const std::vector<Instruction>& list = reader.index.module.instructions;
  ir.SetInsertPoint(block.llvm);
  current_label = block.label;
  if (reader.debug()) reader.debug()->begin_block(*this);
  for (size_t i = block.first; i <= block.terminator; ++i) {
    if (list[i].op == Op::Phi)
      make_phi(list[i]);
    else
      dispatch(list[i]);
  }
}

void Emitter::dispatch(const Instruction& inst) {
  if (reader.debug() && reader.debug()->handle(*this, inst)) return;
  const EmitFunction emit = find_emitter(inst.op);
  if (!emit) inst.fail("is not supported");
  apply_fast_math(inst);
  emit(*this, inst);
}

llvm::Value* Emitter::emit_constant(const Instruction& inst) {
  ir.SetInsertPoint(llvm::BasicBlock::Create(context, "", &function));
  return run(inst);
}

llvm::Value* Emitter::run(const Instruction& inst) {
  dispatch(inst);
  const auto found = locals_.find(inst.result);
  return found == locals_.end() ? nullptr : found->second;
}

void Emitter::make_phi(const Instruction& inst) {
  if (inst.size() % 2 != 0) inst.fail("has a value without its block");
  llvm::PHINode* phi = ir.CreatePHI(result_type(inst), unsigned(inst.size() / 2));
  phis_.emplace_back(&inst, phi);
  define(inst, phi);
}

void Emitter::complete_phis() {
  for (const auto& [inst, phi] : phis_) {
    std::unordered_map<llvm::BasicBlock*, uint32_t> incoming;
    for (size_t i = 0; i < inst->size(); i += 2) {
      const auto from = block_by_label_.find(inst->operand(i + 1));
      if (from == block_by_label_.end()) inst->fail("names a block that is none of this function");
      if (llvm::BasicBlock* block = blocks_[from->second].llvm) incoming[block] = inst->operand(i);
    }
    for (llvm::BasicBlock* from : llvm::predecessors(phi->getParent())) {
      const auto found = incoming.find(from);
      if (found == incoming.end()) inst->fail("has no value for one of the blocks that lead to it");
      llvm::Value* v = value(found->second);
      if (v->getType() != phi->getType()) inst->fail("has a value of another type than its own");
      phi->addIncoming(v, from);
    }
  }
}

llvm::BasicBlock* Emitter::block(uint32_t label, const Instruction& inst) {
  const auto found = block_by_label_.find(label);
  if (found == block_by_label_.end() || !blocks_[found->second].llvm)
    inst.fail("goes to id " + std::to_string(label) + ", which is no block of this function");
  return blocks_[found->second].llvm;
}

std::vector<uint32_t> Emitter::successors(const Instruction& inst) {
  switch (inst.op) {
  case Op::Branch:
    return {inst.operand(0)};
  case Op::BranchConditional:
    return {inst.operand(1), inst.operand(2)};
  case Op::Switch: {
    std::vector<uint32_t> labels{inst.operand(1)};
    for (const auto& [literal, label] : switch_cases(inst)) labels.push_back(label);
    return labels;
  }
  default:
    return {};
  }
}

std::vector<std::pair<uint64_t, uint32_t>> Emitter::switch_cases(const Instruction& inst) {
  const Instruction& selector = reader.type_of(inst.operand(0));
  if (selector.op != Op::TypeInt || selector.operand(0) > 64)
    inst.fail("has a selector that is no integer of at most 64 bits");
  const size_t words = selector.operand(0) > 32 ? 2 : 1;
  if (inst.size() < 2 || (inst.size() - 2) % (words + 1) != 0) inst.fail("has a case without its block");
  std::vector<std::pair<uint64_t, uint32_t>> cases;
  for (size_t i = 2; i < inst.size(); i += words + 1) {
    uint64_t literal = inst.operand(i);
    if (words == 2) literal |= uint64_t{inst.operand(i + 1)} << 32;
    cases.emplace_back(literal, inst.operand(i + words));
  }
  return cases;
}

void Emitter::attach_loop_hints() {
  llvm::MDBuilder builder(context);
  for (const LoopHint& hint : loop_hints) {
    const auto target = block_by_label_.find(hint.continue_target);
    if (target == block_by_label_.end() || !blocks_[target->second].llvm) continue;
    llvm::Instruction* latch = blocks_[target->second].llvm->getTerminator();
    const auto header = block_by_label_.find(hint.header);
    if (!latch || header == block_by_label_.end() ||
        !llvm::is_contained(llvm::successors(latch), blocks_[header->second].llvm))
      continue;
    llvm::SmallVector<llvm::Metadata*, 4> nodes{nullptr};
    const auto add = [&](const char* name) {
      nodes.push_back(llvm::MDNode::get(context, llvm::MDString::get(context, name)));
    };
    if (hint.control & 1) add("llvm.loop.unroll.enable");
    if (hint.control & 2) add("llvm.loop.unroll.disable");
    if (hint.control & 0x100)
      nodes.push_back(llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.unroll.count"),
                                                  builder.createConstant(ir.getInt32(hint.partial_count))}));
    if (nodes.size() == 1) continue;
    llvm::MDNode* loop = llvm::MDNode::getDistinct(context, nodes);
    loop->replaceOperandWith(0, loop);
    latch->setMetadata(llvm::LLVMContext::MD_loop, loop);
  }
}

} // namespace zeroth::spirv
