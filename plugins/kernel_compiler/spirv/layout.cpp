#include "layout.hpp"

#include "error.hpp"

#include <algorithm>
#include <bit>

namespace zeroth::spirv {
namespace {

constexpr uint32_t MaxDepth = 128;
constexpr uint64_t MaxTypeSize = uint64_t{1} << 46; // what a process can address; above it arithmetic could wrap

uint64_t round_up(uint64_t value, uint64_t alignment) { return (value + alignment - 1) / alignment * alignment; }

TypeLayout scalar(uint64_t bits) {
  const uint64_t bytes = std::bit_ceil((bits + 7) / 8);
  return {std::max<uint64_t>(bytes, 1), std::min<uint64_t>(std::max<uint64_t>(bytes, 1), 16)};
}

uint64_t extend(uint64_t bits, uint32_t width, bool is_signed) {
  if (width >= 64) return bits;
  bits &= (uint64_t{1} << width) - 1;
  return is_signed && (bits >> (width - 1) & 1) ? bits | ~uint64_t{0} << width : bits;
}

uint64_t shift(uint64_t a, uint64_t b, bool left) { return b > 63 ? 0 : left ? a << b : a >> b; }

} // namespace

std::vector<uint32_t> all_members(const Module& module, const Instruction& composite, size_t first) {
  std::vector<uint32_t> members;
  if (first < composite.size()) members.assign(composite.operands.begin() + first, composite.operands.end());
  size_t next = size_t(&composite - module.instructions.data()) + 1;
  for (; next < module.instructions.size(); ++next) {
    const Instruction& more = module.instructions[next];
    if (more.op != Op::TypeStructContinuedINTEL && more.op != Op::ConstantCompositeContinuedINTEL &&
        more.op != Op::SpecConstantCompositeContinuedINTEL && more.op != Op::CompositeConstructContinuedINTEL)
      break;
    members.insert(members.end(), more.operands.begin(), more.operands.end());
  }
  return members;
}

const Instruction& Layout::type(uint32_t id) const {
  const Instruction* found = index_.module.definition(id);
  if (!found) throw ReadError("type id " + std::to_string(id) + " is not defined");
  return *found;
}

TypeLayout Layout::of(uint32_t id, uint32_t depth) {
  if (const auto found = known_.find(id); found != known_.end()) return found->second;
  const Instruction& t = type(id);
  if (depth > MaxDepth) t.fail("types are nested too deeply");
  TypeLayout result;
  switch (t.op) {
  case Op::TypeBool:
    result = {1, 1};
    break;
  case Op::TypeInt:
  case Op::TypeFloat:
    result = scalar(t.operand(0));
    break;
  case Op::TypeVector: {
    const uint64_t element = of(t.operand(0), depth + 1).size;
    const uint64_t size = std::bit_ceil(element * std::max(1u, t.operand(1)));
    result = {size, size};
    break;
  }
  case Op::TypeArray:
    result = of_array(t, depth);
    break;
  case Op::TypeStruct:
    result = of_struct(t, depth);
    break;
  case Op::TypePointer:
  case Op::TypeUntypedPointerKHR:
  case Op::TypeImage:
  case Op::TypeSampler:
  case Op::TypeEvent:
    result = {8, 8};
    break;
  case Op::TypeSampledImage:
    result = {16, 8};
    break;
  default:
    t.fail("this type has no size");
  }
  return known_[id] = result;
}

TypeLayout Layout::of_array(const Instruction& t, uint32_t depth) {
  const TypeLayout element = of(t.operand(0), depth + 1);
  const uint64_t length = array_length(t, depth + 1);
  if (element.size != 0 && length > MaxTypeSize / element.size) t.fail("the array is too large");
  return {element.size * length, element.alignment};
}

uint64_t Layout::array_length(const Instruction& array, uint32_t depth) {
  const uint64_t length = integer(array.operand(1), depth);
  if (length > MaxTypeSize) array.fail("the array is too large");
  return length;
}

TypeLayout Layout::of_struct(const Instruction& t, uint32_t depth) {
  const bool packed = index_.decoration(t.result, Decoration::CPacked) != nullptr;
  TypeLayout result;
  for (uint32_t member : all_members(index_.module, t, 0)) {
    TypeLayout part = of(member, depth + 1);
    if (packed) part.alignment = 1;
    result.size = round_up(result.size, part.alignment) + part.size;
    result.alignment = std::max(result.alignment, part.alignment);
    if (result.size > MaxTypeSize) t.fail("the structure is too large");
  }
  result.size = round_up(result.size, result.alignment);
  return result;
}

std::optional<uint64_t> Layout::specialised(uint32_t id) const {
  const DecorationUse* use = index_.decoration(id, Decoration::SpecId);
  if (!use || use->operands.empty()) return {};
  for (const SpecConstantValue& value : constants_)
    if (value.id == use->operands[0]) return value.bits;
  return {};
}

uint64_t Layout::integer(uint32_t id, uint32_t depth) {
  const Instruction* inst = index_.module.definition(id);
  if (!inst) throw ReadError("constant id " + std::to_string(id) + " is not defined");
  if (depth > MaxDepth) inst->fail("constants are nested too deeply");
  if (inst->op == Op::SpecConstantTrue || inst->op == Op::SpecConstantFalse)
    return specialised(id).value_or(inst->op == Op::SpecConstantTrue) != 0;
  if (inst->op == Op::ConstantTrue || inst->op == Op::ConstantFalse) return inst->op == Op::ConstantTrue;
  if (inst->op == Op::SpecConstantOp && inst->type && type(inst->type).op == Op::TypeBool)
    return integer_operation(*inst, depth) != 0;
  if (!inst->type || type(inst->type).op != Op::TypeInt) inst->fail("is not an integer constant");
  const Instruction& t = type(inst->type);
  const uint32_t width = t.operand(0);
  const bool is_signed = t.operand(1) != 0;
  switch (inst->op) {
  case Op::ConstantNull:
    return 0;
  case Op::Constant:
  case Op::SpecConstant: {
    uint64_t bits = inst->operand(0);
    if (inst->size() > 1) bits |= uint64_t{inst->operand(1)} << 32;
    if (inst->op == Op::SpecConstant) bits = specialised(id).value_or(bits);
    return extend(bits, width, is_signed);
  }
  case Op::SpecConstantOp:
    return extend(integer_operation(*inst, depth), width, is_signed);
  default:
    inst->fail("is not an integer constant");
  }
}

// As a signed number, whatever its type says.
int64_t Layout::signed_integer(uint32_t id, uint32_t depth) {
  const uint64_t bits = integer(id, depth);
  const Instruction* inst = index_.module.definition(id);
  const Instruction& t = type(inst->type);
  return t.op == Op::TypeInt ? int64_t(extend(bits, t.operand(0), true)) : int64_t(bits);
}

// Of a constant composite. (Its elements may be reached through several levels.)
uint64_t Layout::integer_element(const Instruction& extract, uint32_t depth) {
  uint32_t id = extract.operand(1);
  for (size_t i = 2; i < extract.size(); ++i) {
    const Instruction* composite = index_.module.definition(id);
    if (composite && composite->op == Op::ConstantNull) return 0;
    if (!composite || (composite->op != Op::ConstantComposite && composite->op != Op::SpecConstantComposite))
      extract.fail("cannot be a size: it is taken from what is no list of constants");
    if (extract.operand(i) >= composite->size()) extract.fail("takes an element that is not there");
    id = composite->operand(extract.operand(i));
  }
  return integer(id, depth + 1);
}

uint64_t Layout::integer_operation(const Instruction& inst, uint32_t depth) {
  const auto operand = [&](size_t i) { return integer(inst.operand(i + 1), depth + 1); };
  const auto number = [&](size_t i) { return signed_integer(inst.operand(i + 1), depth + 1); };
  const auto divides = [&] { return number(1) != 0 && !(number(1) == -1 && number(0) == INT64_MIN); };
  switch (Op(inst.operand(0))) {
  case Op::CompositeExtract:
    return integer_element(inst, depth);
  case Op::SDiv:
    return divides() ? uint64_t(number(0) / number(1)) : 0;
  case Op::SRem:
    return divides() ? uint64_t(number(0) % number(1)) : 0;
  case Op::SMod: { // with the divisor's sign
    const int64_t rest = divides() ? number(0) % number(1) : 0;
    return uint64_t(rest != 0 && (rest < 0) != (number(1) < 0) ? rest + number(1) : rest);
  }
  case Op::ShiftRightArithmetic:
    return uint64_t(number(0) >> std::min<uint64_t>(operand(1), 63));
  case Op::SLessThan:
    return number(0) < number(1);
  case Op::SLessThanEqual:
    return number(0) <= number(1);
  case Op::SGreaterThan:
    return number(0) > number(1);
  case Op::SGreaterThanEqual:
    return number(0) >= number(1);
  case Op::ULessThanEqual:
    return operand(0) <= operand(1);
  case Op::UGreaterThanEqual:
    return operand(0) >= operand(1);
  case Op::LogicalAnd:
    return operand(0) && operand(1);
  case Op::LogicalOr:
    return operand(0) || operand(1);
  case Op::LogicalNot:
    return !operand(0);
  case Op::LogicalEqual:
    return operand(0) == operand(1);
  case Op::LogicalNotEqual:
    return operand(0) != operand(1);
  case Op::CopyObject:
  case Op::UConvert:
  case Op::SConvert:
    return operand(0);
  case Op::IAdd:
    return operand(0) + operand(1);
  case Op::ISub:
    return operand(0) - operand(1);
  case Op::IMul:
    return operand(0) * operand(1);
  case Op::UDiv:
    return operand(1) ? operand(0) / operand(1) : 0;
  case Op::UMod:
    return operand(1) ? operand(0) % operand(1) : 0;
  case Op::ShiftLeftLogical:
    return shift(operand(0), operand(1), true);
  case Op::ShiftRightLogical:
    return shift(operand(0), operand(1), false);
  case Op::BitwiseAnd:
    return operand(0) & operand(1);
  case Op::BitwiseOr:
    return operand(0) | operand(1);
  case Op::BitwiseXor:
    return operand(0) ^ operand(1);
  case Op::Not:
    return ~operand(0);
  case Op::SNegate:
    return -operand(0);
  case Op::IEqual:
    return operand(0) == operand(1);
  case Op::INotEqual:
    return operand(0) != operand(1);
  case Op::ULessThan:
    return operand(0) < operand(1);
  case Op::UGreaterThan:
    return operand(0) > operand(1);
  case Op::Select:
    return operand(0) ? operand(1) : operand(2);
  default:
    inst.fail(std::string("cannot be a size: it uses Op") + op_name(Op(inst.operand(0))));
  }
}

std::string Layout::type_name(uint32_t id, uint32_t depth) const {
  const Instruction& t = type(id);
  if (depth > 8) return "?";
  switch (t.op) {
  case Op::TypeVoid:
    return "void";
  case Op::TypeBool:
    return "bool";
  case Op::TypeInt: {
    const char* sign = t.operand(1) ? "" : "u";
    switch (t.operand(0)) {
    case 8:
      return std::string(sign) + "char";
    case 16:
      return std::string(sign) + "short";
    case 32:
      return std::string(sign) + "int";
    case 64:
      return std::string(sign) + "long";
    default:
      return std::string(sign) + "int" + std::to_string(t.operand(0));
    }
  }
  case Op::TypeFloat:
    return t.operand(0) == 16 ? "half" : t.operand(0) == 64 ? "double" : "float";
  case Op::TypeVector:
    return type_name(t.operand(0), depth + 1) + std::to_string(t.operand(1));
  case Op::TypePointer:
    return type_name(t.operand(1), depth + 1) + "*";
  case Op::TypeUntypedPointerKHR:
    return "void*";
  case Op::TypeArray:
    return type_name(t.operand(0), depth + 1) + "[]";
  case Op::TypeStruct: {
    const std::string_view name = index_.name(id);
    return name.empty()                  ? "struct"
           : name.starts_with("struct.") ? "struct " + std::string(name.substr(7))
                                         : std::string(name);
  }
  case Op::TypeSampler:
    return "sampler_t";
  case Op::TypeEvent:
    return "event_t";
  case Op::TypeImage: {
    static constexpr const char* dims[] = {"1d", "2d", "3d", "cube", "rect", "1d_buffer"};
    const uint32_t dim = t.operand(1);
    return std::string("image") + (dim < 6 ? dims[dim] : "?") + (t.operand(3) ? "_array" : "") +
           (t.operand(4) ? "_msaa" : "") + (t.operand(2) == 1 ? "_depth" : "") + "_t";
  }
  default:
    return "?";
  }
}

} // namespace zeroth::spirv
