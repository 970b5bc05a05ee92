#include "debug_types.hpp"

#include "error.hpp"

#include <llvm/BinaryFormat/Dwarf.h>

namespace zeroth::spirv {
namespace {

constexpr unsigned MaxDepth = 24;

// Numbers that both instruction sets share.
enum : uint32_t {
  TypeBasic = 2,
  TypePointer = 3,
  TypeQualifier = 4,
  TypeArray = 5,
  TypeVector = 6,
  Typedef = 7,
  TypeFunction = 8,
  TypeEnum = 9,
  TypeComposite = 10,
  TypeMember = 11,
  Source = 35,
};

unsigned encoding(uint64_t number) {
  using namespace llvm::dwarf;
  static constexpr unsigned table[] = {0,
                                       DW_ATE_address,
                                       DW_ATE_boolean,
                                       DW_ATE_float,
                                       DW_ATE_signed,
                                       DW_ATE_signed_char,
                                       DW_ATE_unsigned,
                                       DW_ATE_unsigned_char};
  return number < std::size(table) ? table[number] : 0;
}

} // namespace

const Instruction* DebugRecord::find(const ModuleIndex& index, uint32_t id) {
  const Instruction* inst = index.module.definition(id);
  if (!inst || inst->op != Op::ExtInst || inst->size() < 2) return nullptr;
  const auto set = index.instruction_sets.find(inst->operand(0));
  if (set == index.instruction_sets.end()) return nullptr;
  return set->second == InstructionSet::OpenCLDebugInfo || set->second == InstructionSet::ShaderDebugInfo ? inst
                                                                                                          : nullptr;
}

bool DebugRecord::is_shader() const {
  const auto set = index_.instruction_sets.find(inst_.operand(0));
  return set != index_.instruction_sets.end() && set->second == InstructionSet::ShaderDebugInfo;
}

uint64_t DebugRecord::value(size_t i) const {
  if (i >= size()) return 0;
  return is_shader() ? constant(i) : id(i);
}

uint64_t DebugRecord::constant(size_t i) const {
  if (i >= size()) return 0;
  try {
    return layout_.integer(id(i));
  } catch (const ReadError&) {
    return 0;
  }
}

llvm::StringRef DebugRecord::text(size_t i) const {
  const auto found = index_.strings.find(id(i));
  return found == index_.strings.end() ? llvm::StringRef()
                                       : llvm::StringRef(found->second.data(), found->second.size());
}

llvm::DIFile* DebugTypes::file_named(llvm::StringRef path) {
  if (path.empty()) return default_file_;
  llvm::DIFile*& made = files_[path.str()];
  if (!made) {
    const size_t slash = path.rfind('/');
    const bool split = slash != path.npos && slash != 0;
    made = builder_.createFile(split ? path.substr(slash + 1) : path, split ? path.substr(0, slash) : "");
  }
  return made;
}

llvm::DIFile* DebugTypes::file(uint32_t source_id) {
  const Instruction* inst = DebugRecord::find(reader_.index, source_id);
  if (!inst) return default_file_;
  const DebugRecord record(reader_.index, reader_.layout, *inst);
  return record.number() == Source ? file_named(record.text(0)) : default_file_;
}

llvm::DIType* DebugTypes::type(uint32_t id, unsigned depth) {
  if (const auto found = types_.find(id); found != types_.end()) return found->second;
  const Instruction* inst = DebugRecord::find(reader_.index, id);
  if (!inst || depth > MaxDepth) return nullptr;
  // A structure is known before its members are. What else contains itself has no type inside itself; pointers to
  // structures must not be cut that way, and are a chain that ends at the depth.
  const DebugRecord record(reader_.index, reader_.layout, *inst);
  if (record.number() == TypeFunction || record.number() == TypeEnum) types_[id] = nullptr;
  llvm::DIType* made = make_type(id, record, depth);
  return types_[id] = made;
}

llvm::DIType* DebugTypes::make_type(uint32_t id, const DebugRecord& record, unsigned depth) {
  switch (record.number()) {
  case TypeBasic:
    return builder_.createBasicType(record.text(0), record.constant(1), encoding(record.value(2)));
  case TypePointer:
    return builder_.createPointerType(type(record.id(0), depth + 1), 64);
  case TypeQualifier: {
    static constexpr unsigned tags[] = {llvm::dwarf::DW_TAG_const_type, llvm::dwarf::DW_TAG_volatile_type,
                                        llvm::dwarf::DW_TAG_restrict_type, llvm::dwarf::DW_TAG_atomic_type};
    const uint64_t which = record.value(1);
    llvm::DIType* base = type(record.id(0), depth + 1);
    return which < std::size(tags) ? builder_.createQualifiedType(tags[which], base) : base;
  }
  case TypeArray:
  case TypeVector:
    return make_array(record, depth);
  case Typedef: {
    llvm::DIType* base = type(record.id(1), depth + 1);
    llvm::DIFile* where = file(record.id(2));
    return builder_.createTypedef(base, record.text(0), where, unsigned(record.value(3)), where);
  }
  case TypeEnum:
    return make_enum(record);
  case TypeComposite:
    return make_composite(id, record, depth);
  case TypeFunction:
    return function_type(id, depth);
  default:
    return nullptr;
  }
}

llvm::DIType* DebugTypes::make_array(const DebugRecord& record, unsigned depth) {
  llvm::DIType* element = type(record.id(0), depth + 1);
  llvm::SmallVector<llvm::Metadata*, 2> ranges;
  uint64_t count = 1;
  for (size_t i = 1; i < record.size(); ++i) {
    const uint64_t length = record.number() == TypeVector ? record.value(i) : record.constant(i);
    count *= length;
    ranges.push_back(builder_.getOrCreateSubrange(0, int64_t(length)));
  }
  const uint64_t bits = (element ? element->getSizeInBits() : 0) * count;
  const llvm::DINodeArray subscripts = builder_.getOrCreateArray(ranges);
  return record.number() == TypeVector ? builder_.createVectorType(bits, 0, element, subscripts)
                                       : builder_.createArrayType(bits, 0, element, subscripts);
}

llvm::DIType* DebugTypes::make_enum(const DebugRecord& record) {
  llvm::SmallVector<llvm::Metadata*, 8> values;
  for (size_t i = 8; i + 1 < record.size(); i += 2) {
    const int64_t value = int64_t(record.constant(i));
    values.push_back(builder_.createEnumerator(record.text(i + 1), value, false));
  }
  llvm::DIFile* where = file(record.id(2));
  return builder_.createEnumerationType(where, record.text(0), where, unsigned(record.value(3)), record.constant(6), 0,
                                        builder_.getOrCreateArray(values), type(record.id(1)));
}

// The structure is known before its members, which may point to it.
llvm::DIType* DebugTypes::make_composite(uint32_t id, const DebugRecord& record, unsigned depth) {
  llvm::DIFile* where = file(record.id(2));
  const bool is_union = record.value(1) == 2;
  const uint64_t bits = record.constant(7);
  llvm::DICompositeType* made = is_union
                                    ? builder_.createUnionType(where, record.text(0), where, unsigned(record.value(3)),
                                                               bits, 0, llvm::DINode::FlagZero, {}, 0, "")
                                    : builder_.createStructType(where, record.text(0), where, unsigned(record.value(3)),
                                                                bits, 0, llvm::DINode::FlagZero, nullptr, {});
  types_[id] = made;
  llvm::SmallVector<llvm::Metadata*, 8> members;
  for (size_t i = 9; i < record.size(); ++i) {
    const Instruction* inst = DebugRecord::find(reader_.index, record.id(i));
    if (!inst) continue;
    const DebugRecord member(reader_.index, reader_.layout, *inst);
    if (member.number() != TypeMember) continue;
    const size_t offset = member.is_shader() ? 5 : 6; // one set has the parent in between, as an id
    members.push_back(builder_.createMemberType(made, member.text(0), file(member.id(2)), unsigned(member.value(3)),
                                                member.constant(offset + 1), 0, member.constant(offset),
                                                llvm::DINode::FlagZero, type(member.id(1), depth + 1)));
  }
  builder_.replaceArrays(made, builder_.getOrCreateArray(members));
  return types_[id] = made;
}

llvm::DISubroutineType* DebugTypes::function_type(uint32_t id, unsigned depth) {
  llvm::SmallVector<llvm::Metadata*, 8> parts;
  if (const Instruction* inst = DebugRecord::find(reader_.index, id)) {
    const DebugRecord record(reader_.index, reader_.layout, *inst);
    if (record.number() == TypeFunction)
      for (size_t i = 1; i < record.size(); ++i) parts.push_back(type(record.id(i), depth + 1));
  }
  return builder_.createSubroutineType(builder_.getOrCreateTypeArray(parts));
}

} // namespace zeroth::spirv
