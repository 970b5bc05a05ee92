// The instructions that make vectors, take them apart and choose between them.
#pragma once

#include "spirv_module.hpp"

namespace zeroth::random_programs {

// What is not the same instruction as for scalars.
inline bool is_vector_operation(const Expr& e) {
  switch (e.op) {
  case Op::Compose:
  case Op::Component:
  case Op::WithComponent:
  case Op::Shuffle:
  case Op::SelectLess:
    return true;
  default:
    return e.op == Op::Select && is_vector(e.type);
  }
}

inline Id to_component(Module& m, Type type, Id word) {
  return type == Type::U16x4 ? m.w.result(spv::OpUConvert, m.u16, {word}) : word;
}

inline Id from_component(Module& m, Type type, Id component) {
  return type == Type::U16x4 ? m.w.result(spv::OpUConvert, m.u32, {component}) : component;
}

inline Id component(Module& m, const Expr& e, const Words& operands) {
  const Type type = e.args[0].type;
  const Id of = m.component_type(type);
  const Expr& place = e.args[1];
  const Id taken = place.op == Op::Constant
                       ? m.w.result(spv::OpCompositeExtract, of, {operands[0], uint32_t(place.value)})
                       : m.w.result(spv::OpVectorExtractDynamic, of, {operands[0], operands[1]});
  return from_component(m, type, taken);
}

inline Id with_component(Module& m, const Expr& e, const Words& operands) {
  const Id type = m.type(e.type), part = to_component(m, e.type, operands[2]);
  const Expr& place = e.args[1];
  if (place.op == Op::Constant)
    return m.w.result(spv::OpCompositeInsert, type, {part, operands[0], uint32_t(place.value)});
  return m.w.result(spv::OpVectorInsertDynamic, type, {operands[0], part, operands[1]});
}

inline Id vector_operation(Module& m, const Expr& e, const Words& operands) {
  const Id type = m.type(e.type);
  Words words;
  switch (e.op) {
  case Op::Compose:
    for (Id word : operands) words.push_back(to_component(m, e.type, word));
    return m.w.result(spv::OpCompositeConstruct, type, words);
  case Op::Component:
    return component(m, e, operands);
  case Op::WithComponent:
    return with_component(m, e, operands);
  case Op::Shuffle:
    words = operands;
    for (uint32_t c = 0; c < component_count(e.type); ++c) words.push_back(uint32_t(e.value >> (4 * c)) & 15);
    return m.w.result(spv::OpVectorShuffle, type, words);
  case Op::SelectLess: {
    const Id less = m.w.result(spv::OpULessThan, m.conditions(e.type), {operands[0], operands[1]});
    return m.w.result(spv::OpSelect, type, {less, operands[2], operands[3]});
  }
  default: { // Select: one condition for all components
    words.assign(component_count(e.type), operands[0]);
    const Id conditions = m.w.result(spv::OpCompositeConstruct, m.conditions(e.type), words);
    return m.w.result(spv::OpSelect, type, {conditions, operands[1], operands[2]});
  }
  }
}

inline Id load_pair(Module& m, Id input, Id place) {
  const Id pointer = m.pointer(spv::StorageClassCrossWorkgroup, m.type(Type::U32x2));
  const Id pairs = m.w.result(spv::OpBitcast, pointer, {input});
  const Id at = m.w.result(spv::OpInBoundsPtrAccessChain, pointer, {pairs, place});
  return m.w.result(spv::OpLoad, m.type(Type::U32x2), {at, spv::MemoryAccessAlignedMask, 8});
}

} // namespace zeroth::random_programs
