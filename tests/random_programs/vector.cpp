#include "vector.hpp"

#include "scalar.hpp"

namespace zeroth::random_programs {
namespace {

uint64_t mask_of(Type type) { return ~uint64_t{0} >> (64 - component_bits(type)); }

uint64_t get(Type type, uint64_t vector, uint64_t place) {
  return vector >> (place * component_bits(type)) & mask_of(type);
}

uint64_t put(Type type, uint64_t vector, uint64_t place, uint64_t component) {
  const uint64_t shift = place * component_bits(type), mask = mask_of(type);
  return (vector & ~(mask << shift)) | (component & mask) << shift;
}

// A component as 32 bits: the low bits of every result are those of the narrower operation.
uint64_t extended(Op op, Type type, uint64_t component) {
  const bool is_signed = op == Op::MinS || op == Op::MaxS;
  return is_signed && type == Type::U16x4 ? uint32_t(int32_t(int16_t(component))) : component;
}

uint64_t of_component(const Expr& e, const uint64_t operands[4], uint32_t c) {
  const Type type = e.type;
  const auto at = [&](uint32_t operand) { return get(type, operands[operand], c); };
  switch (e.op) {
  case Op::Compose:
    return operands[c];
  case Op::Shuffle: {
    const uint64_t place = e.value >> (4 * c) & 15, count = component_count(type);
    return place < count ? get(type, operands[0], place) : get(type, operands[1], place - count);
  }
  case Op::SelectLess:
    return at(0) < at(1) ? at(2) : at(3);
  case Op::Select:
    return operands[0] ? at(1) : at(2);
  default: {
    const uint64_t both[3] = {extended(e.op, type, at(0)), extended(e.op, type, at(1)), 0};
    return apply_scalar(e.op, Type::U32, both);
  }
  }
}

} // namespace

uint64_t apply_vector(const Expr& e, const uint64_t operands[4]) {
  if (e.op == Op::Component) return get(e.args[0].type, operands[0], operands[1]);
  if (e.op == Op::WithComponent) return put(e.type, operands[0], operands[1], operands[2]);
  uint64_t result = 0;
  for (uint32_t c = 0; c < component_count(e.type); ++c) result = put(e.type, result, c, of_component(e, operands, c));
  return result;
}

} // namespace zeroth::random_programs
