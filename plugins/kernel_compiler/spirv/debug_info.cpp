#include "debug_info.hpp"

#include "../llvm_versions.hpp"
#include "debug_types.hpp"
#include "emitter.hpp"
#include "error.hpp"

#include <llvm/BinaryFormat/Dwarf.h>

namespace zeroth::spirv {
namespace {

enum : uint32_t {
  CompilationUnit = 1,
  Function = 20,
  LexicalBlock = 21,
  LexicalBlockDiscriminator = 22,
  Scope = 23,
  NoScope = 24,
  InlinedAt = 25,
  LocalVariable = 26,
  Declare = 28,
  Value = 29,
  FunctionDefinition = 101,
  ShaderLine = 103,
  ShaderNoLine = 104,
};

class SourceDebugInfo final : public DebugInfo {
public:
  explicit SourceDebugInfo(ModuleReader& reader)
      : reader_(reader), builder_(reader.module()), types_(reader, builder_, builder_.createFile("kernel.cl", "")) {
    find_functions();
    create_unit();
  }

  void begin_function(Emitter& emitter, const FunctionRange& range) override {
    variables_.clear();
    scopes_.clear();
    inlined_.clear();
    subprogram_ = make_subprogram(emitter, range);
    emitter.function.setSubprogram(subprogram_);
    reset(emitter);
  }

  // A block starts where nobody knows; line 0 of the function says so and satisfies LLVM's rule for calls.
  void begin_block(Emitter& emitter) override { reset(emitter); }

  bool handle(Emitter& emitter, const Instruction& inst) override {
    if (!subprogram_) return inst.op == Op::Line || inst.op == Op::NoLine;
    if (inst.op == Op::Line) {
      set_line(emitter, file_of_string(inst.operand(0)), inst.operand(1), inst.operand(2));
      return true;
    }
    if (inst.op == Op::NoLine) {
      set_line(emitter, nullptr, 0, 0);
      return true;
    }
    if (inst.op != Op::ExtInst || !DebugRecord::find(reader_.index, inst.result)) return false;
    record(emitter, DebugRecord(reader_.index, reader_.layout, inst));
    return true;
  }

  void finish() override { builder_.finalize(); }

private:
  llvm::DIFile* file_of_string(uint32_t id) {
    const auto found = reader_.index.strings.find(id);
    return found == reader_.index.strings.end() ? nullptr
                                                : types_.file_named({found->second.data(), found->second.size()});
  }

  void find_functions() {
    for (const Instruction& inst : reader_.index.module.instructions) {
      if (inst.op == Op::Line && first_file_ == 0) first_file_ = inst.operand(0);
      if (inst.op != Op::ExtInst || !DebugRecord::find(reader_.index, inst.result)) continue;
      const DebugRecord record(reader_.index, reader_.layout, inst);
      if (record.number() == Function && !record.is_shader() && record.size() > 9)
        function_records_[record.id(9)] = inst.result;
      if (record.number() == FunctionDefinition && record.is_shader()) function_records_[record.id(1)] = record.id(0);
      if (record.number() == CompilationUnit && !unit_record_) unit_record_ = &inst;
    }
  }

  void create_unit() {
    llvm::DIFile* file = nullptr;
    if (unit_record_)
      file = types_.file(DebugRecord(reader_.index, reader_.layout, *unit_record_).id(2));
    else if (first_file_)
      file = file_of_string(first_file_);
    unit_file_ = file ? file : types_.file_named("kernel.cl");
    unit_ = llvm_version::create_c_unit(builder_, unit_file_, "Zeroth");
    llvm::Module& module = reader_.module();
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
    module.addModuleFlag(llvm::Module::Max, "Dwarf Version", 5);
  }

  // The first line named inside a function, for those that nothing else describes.
  unsigned first_line(const FunctionRange& range, llvm::DIFile** file) {
    for (size_t i = range.first; i < range.end; ++i) {
      const Instruction& inst = reader_.index.module.instructions[i];
      if (inst.op != Op::Line) continue;
      if (llvm::DIFile* found = file_of_string(inst.operand(0))) *file = found;
      return inst.operand(1);
    }
    return 0;
  }

  llvm::DISubprogram* make_subprogram(Emitter& emitter, const FunctionRange& range) {
    const llvm::StringRef llvm_name = emitter.function.getName();
    std::string_view plain = reader_.index.name(range.id);
    for (const EntryPoint& entry : reader_.index.entry_points)
      if (entry.function == range.id) plain = entry.name;
    llvm::StringRef name(plain.data(), plain.size());
    llvm::DIFile* file = unit_file_;
    unsigned line = first_line(range, &file);
    unsigned scope_line = line;
    llvm::DISubroutineType* type = nullptr;
    const auto found = function_records_.find(range.id);
    if (found != function_records_.end()) {
      if (const Instruction* inst = DebugRecord::find(reader_.index, found->second)) {
        const DebugRecord record(reader_.index, reader_.layout, *inst);
        if (!record.text(0).empty()) name = record.text(0);
        type = types_.function_type(record.id(1));
        file = types_.file(record.id(2));
        line = unsigned(record.value(3));
        scope_line = unsigned(record.value(8));
      }
    } else if (line == 0) {
      return nullptr; // nothing is known about it
    }
    if (!type) type = types_.function_type(0);
    llvm::DISubprogram* made = builder_.createFunction(
        file, name, name == llvm_name ? llvm::StringRef() : llvm_name, file, line, type, scope_line,
        llvm::DINode::FlagPrototyped, llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
    if (found != function_records_.end()) scopes_[found->second] = made;
    return made;
  }

  void reset(Emitter& emitter) {
    scope_ = subprogram_;
    inlined_at_ = nullptr;
    set_line(emitter, nullptr, 0, 0);
  }

  void set_line(Emitter& emitter, llvm::DIFile* file, unsigned line, unsigned column) {
    if (!subprogram_) {
      emitter.ir.SetCurrentDebugLocation({});
      return;
    }
    llvm::DIScope* scope = scope_;
    if (file && line && scope->getFile() != file) scope = builder_.createLexicalBlockFile(scope, file);
    emitter.ir.SetCurrentDebugLocation(llvm::DILocation::get(reader_.context, line, column, scope, inlined_at_));
  }

  // A function or block of the source as a scope of the function being read.
  llvm::DILocalScope* scope(uint32_t id, unsigned depth = 0) {
    if (const auto found = scopes_.find(id); found != scopes_.end()) return found->second;
    const Instruction* inst = DebugRecord::find(reader_.index, id);
    if (!inst || depth > 64) return subprogram_;
    const DebugRecord record(reader_.index, reader_.layout, *inst);
    llvm::DILocalScope* made = subprogram_;
    if (record.number() == LexicalBlock)
      made = builder_.createLexicalBlock(scope(record.id(3), depth + 1), types_.file(record.id(0)),
                                         unsigned(record.value(1)), unsigned(record.value(2)));
    else if (record.number() == LexicalBlockDiscriminator)
      made = scope(record.id(2), depth + 1);
    else if (record.number() == Function)
      made = inlined_function(record);
    return scopes_[id] = made;
  }

  // A function that was inlined away has a description but no code of its own.
  llvm::DISubprogram* inlined_function(const DebugRecord& record) {
    llvm::DIFile* file = types_.file(record.id(2));
    return builder_.createFunction(file, record.text(0), "", file, unsigned(record.value(3)),
                                   types_.function_type(record.id(1)), unsigned(record.value(8)),
                                   llvm::DINode::FlagPrototyped,
                                   llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
  }

  llvm::DILocation* inlined_at(uint32_t id, unsigned depth = 0) {
    if (id == 0) return nullptr;
    if (const auto found = inlined_.find(id); found != inlined_.end()) return found->second;
    const Instruction* inst = DebugRecord::find(reader_.index, id);
    if (!inst || depth > 64) return nullptr;
    const DebugRecord record(reader_.index, reader_.layout, *inst);
    if (record.number() != InlinedAt) return nullptr;
    llvm::DILocation* outer = record.size() > 2 ? inlined_at(record.id(2), depth + 1) : nullptr;
    return inlined_[id] =
               llvm::DILocation::getDistinct(reader_.context, unsigned(record.value(0)), 0, scope(record.id(1)), outer);
  }

  void record(Emitter& emitter, const DebugRecord& record) {
    switch (record.number()) {
    case Scope:
      scope_ = scope(record.id(0));
      inlined_at_ = inlined_at(record.id(1));
      // A scope of another function makes sense only as inlined code.
      if (scope_->getSubprogram() != subprogram_ && !inlined_at_) scope_ = subprogram_;
      if (inlined_at_ && !ends_here(inlined_at_)) scope_ = subprogram_, inlined_at_ = nullptr;
      return set_line(emitter, nullptr, 0, 0);
    case NoScope:
      return reset(emitter);
    case ShaderLine:
      return set_line(emitter, types_.file(record.id(0)), unsigned(record.value(1)), unsigned(record.value(3)));
    case ShaderNoLine:
      return set_line(emitter, nullptr, 0, 0);
    case Declare:
    case Value:
      return variable(emitter, record);
    default:
      return;
    }
  }

  // The outermost location of an inlined chain must lie in the function being read.
  bool ends_here(llvm::DILocation* location) const {
    while (location->getInlinedAt()) location = location->getInlinedAt();
    return location->getScope()->getSubprogram() == subprogram_;
  }

  void variable(Emitter& emitter, const DebugRecord& record) {
    const Instruction* inst = DebugRecord::find(reader_.index, record.id(0));
    if (!inst) return;
    const DebugRecord local(reader_.index, reader_.layout, *inst);
    if (local.number() != LocalVariable || inlined_at_) return;
    llvm::DILocalVariable*& made = variables_[record.id(0)];
    llvm::DILocalScope* home = scope(local.id(5));
    if (home->getSubprogram() != subprogram_) home = subprogram_;
    llvm::DIFile* file = types_.file(local.id(2));
    const unsigned line = unsigned(local.value(3));
    if (!made && local.value(7) != 0 && local.value(7) < 256)
      made = builder_.createParameterVariable(home, local.text(0), unsigned(local.value(7)), file, line,
                                              types_.type(local.id(1)), true);
    else if (!made)
      made = builder_.createAutoVariable(home, local.text(0), file, line, types_.type(local.id(1)), true);
    llvm::Value* value = nullptr;
    try {
      value = emitter.value(record.id(1));
    } catch (const ReadError&) {
      return;
    }
    const llvm::DILocation* where = llvm::DILocation::get(reader_.context, line, 0, home);
    llvm::DIExpression* plain = builder_.createExpression();
    if (record.number() == Declare && value->getType()->isPointerTy())
      builder_.insertDeclare(value, made, plain, where, emitter.ir.GetInsertBlock());
    else
      llvm_version::insert_debug_value(builder_, value, made, plain, where, emitter.ir);
  }

  ModuleReader& reader_;
  llvm::DIBuilder builder_;
  DebugTypes types_;
  llvm::DICompileUnit* unit_ = nullptr;
  llvm::DIFile* unit_file_ = nullptr;
  const Instruction* unit_record_ = nullptr;
  uint32_t first_file_ = 0;
  std::unordered_map<uint32_t, uint32_t> function_records_; // function id → its DebugFunction
  llvm::DISubprogram* subprogram_ = nullptr;
  llvm::DILocalScope* scope_ = nullptr;
  llvm::DILocation* inlined_at_ = nullptr;
  std::unordered_map<uint32_t, llvm::DILocalScope*> scopes_;
  std::unordered_map<uint32_t, llvm::DILocation*> inlined_;
  std::unordered_map<uint32_t, llvm::DILocalVariable*> variables_;
};

bool has_source(const ModuleIndex& index) {
  for (const Instruction& inst : index.module.instructions)
    if (inst.op == Op::Line) return true;
  for (const auto& [id, set] : index.instruction_sets)
    if (set == InstructionSet::OpenCLDebugInfo || set == InstructionSet::ShaderDebugInfo) return true;
  return false;
}

} // namespace

std::unique_ptr<DebugInfo> DebugInfo::create(ModuleReader& reader) {
  if (!has_source(reader.index)) return nullptr;
  return std::make_unique<SourceDebugInfo>(reader);
}

} // namespace zeroth::spirv
