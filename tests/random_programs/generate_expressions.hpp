// Random legal expressions over the variables in scope; the statements around them are made in generate.cpp.
#pragma once

#include "program.hpp"
#include "random.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace zeroth::random_programs {

inline Expr leaf(Op op, uint64_t value = 0, Type type = Type::U32) { return {op, type, value, {}}; }
inline Expr constant(uint64_t value, Type type = Type::U32) { return leaf(Op::Constant, value, type); }
inline Expr make(Op op, Type type, Expr a) { return {op, type, 0, {std::move(a)}}; }
inline Expr make(Op op, Type type, Expr a, Expr b) { return {op, type, 0, {std::move(a), std::move(b)}}; }
inline Expr make(Op op, Type type, Expr a, Expr b, Expr c) {
  return {op, type, 0, {std::move(a), std::move(b), std::move(c)}};
}

// The bits of a float. fmin(0, -0) may be either zero: adding 0 leaves one.
inline Expr float_bits(Expr e) {
  return make(Op::FloatBits, Type::U32, make(Op::FAdd, Type::F32, std::move(e), constant(0, Type::F32)));
}

class ExpressionGenerator {
protected:
  ExpressionGenerator(uint64_t seed, bool vectors) : random_(seed), vectors_(vectors) { program_.seed = seed; }

  // ---- variables -------------------------------------------------------------------------------------------------

  std::vector<Type>& variables() { return function_ ? function_->variables : program_.variables; }

  uint32_t add_variable(Type type) {
    variables().push_back(type);
    return uint32_t(variables().size() - 1);
  }

  Type random_type() {
    static constexpr Type types[] = {Type::U32, Type::U32, Type::U32, Type::U32, Type::U32,
                                     Type::U32, Type::F32, Type::F32, Type::U64, Type::U64};
    static constexpr Type with_vectors[] = {Type::U32, Type::U32, Type::U32, Type::U32,   Type::U32,
                                            Type::F32, Type::F32, Type::U64, Type::U32x2, Type::U16x4};
    return (vectors_ ? with_vectors : types)[random_.below(10)];
  }

  // A variable of the type that is not a running loop counter; makes one if there is none.
  uint32_t pick_target(Type type) {
    for (int attempt = 0; attempt < 6; ++attempt) {
      const uint32_t v = random_.below(uint32_t(variables().size()));
      if (variables()[v] == type && !is_reserved(v)) return v;
    }
    return add_variable(type);
  }

  bool is_reserved(uint32_t v) const {
    for (uint32_t r : reserved_)
      if (r == v || r + 1 == v) return true;
    return false;
  }

  // ---- expressions -----------------------------------------------------------------------------------------------

  Expr uniform_leaf() {
    switch (random_.below(4)) {
    case 0:
      return constant(random_.below(64));
    case 1:
      return leaf(Op::Uniform, random_.below(UniformCount));
    case 2:
      return leaf(Op::GroupId, random_.below(2));
    default:
      return leaf(Op::LocalSize, random_.below(3));
    }
  }

  Expr uniform_u32() {
    static constexpr Op ops[] = {Op::Add, Op::Xor, Op::And, Op::Mul};
    return make(ops[random_.below(4)], Type::U32, uniform_leaf(), uniform_leaf());
  }

  Expr index(uint32_t size) { return make(Op::And, Type::U32, u32(1), constant(size - 1)); } // size: a power of two

  // What runs with the work-items and may wrap round the type within a slice.
  Expr run() {
    static constexpr Op ids[] = {Op::GlobalId, Op::LocalId, Op::LocalLinearId};
    const uint64_t factor = random_.one_in(2)   ? uint64_t(1) << random_.below(32)
                            : random_.one_in(2) ? random_.next() & 0xffffffffu
                                                : random_.below(40);
    Expr e = make(Op::Mul, Type::U32, leaf(ids[random_.below(3)]), constant(factor));
    if (random_.one_in(2)) e = make(Op::Add, Type::U32, std::move(e), uniform_leaf());
    return random_.one_in(3) ? make(random_.one_in(2) ? Op::SignExtend8 : Op::ZeroExtend16, Type::U32, std::move(e))
                             : e;
  }

  Expr leaf_u32() {
    if (vectors_ && random_.one_in(10)) return run();
    switch (random_.below(8)) {
    case 0:
      return constant(random_.one_in(3) ? random_.next() & 0xffffffffu : random_.below(100));
    case 1:
      return uniform_leaf();
    case 2:
      return leaf(Op::GlobalId, random_.below(3));
    case 3:
      return leaf(Op::LocalId, random_.below(3));
    case 4:
      return leaf(Op::LocalLinearId);
    default:
      return variable(Type::U32);
    }
  }

  Expr variable(Type type) {
    for (int attempt = 0; attempt < 8; ++attempt) {
      const uint32_t v = random_.below(uint32_t(variables().size()));
      if (variables()[v] == type) return leaf(Op::Variable, v, type);
    }
    return type == Type::U32 ? leaf(Op::LocalLinearId) : constant(type == Type::F32 ? 0x3fc00000u : 77, type);
  }

  Expr u32(int depth) {
    depth = std::min(depth, most_depth_);
    if (depth <= 0) return leaf_u32();
    switch (random_.below(vectors_ ? 15 : 14)) {
    case 0:
      return divide(depth);
    case 1:
      return make(random_.one_in(2)   ? Op::Shl
                  : random_.one_in(2) ? Op::ShrU
                                      : Op::ShrS,
                  Type::U32, u32(depth - 1), make(Op::And, Type::U32, u32(depth - 2), constant(31)));
    case 2:
      return make(Op::Select, Type::U32, boolean(depth - 1), u32(depth - 1), u32(depth - 1));
    case 3:
      return memory(depth);
    case 4:
      return make(random_.one_in(2) ? Op::SignExtend8 : Op::ZeroExtend16, Type::U32, u32(depth - 1));
    case 5:
      return make(Op::Truncate32, Type::U32, u64(depth - 1));
    case 6:
      return random_.one_in(2) ? float_bits(f32(depth - 1)) : make(Op::FToS, Type::U32, clamped(f32(depth - 1)));
    case 7:
      return make(random_.one_in(2) ? Op::PopCount : random_.one_in(2) ? Op::Clz : Op::Not, Type::U32, u32(depth - 1));
    case 8:
      return call(depth);
    case 14:
      return component(depth);
    default:
      return make(integer_op(), Type::U32, u32(depth - 1), u32(depth - 1));
    }
  }

  Op integer_op() {
    static constexpr Op ops[] = {Op::Add, Op::Sub,  Op::Mul,  Op::And,  Op::Or,  Op::Xor,
                                 Op::Add, Op::MinU, Op::MaxU, Op::MinS, Op::MaxS};
    return ops[random_.below(std::size(ops))];
  }

  Expr divide(int depth) {
    static constexpr Op ops[] = {Op::DivU, Op::RemU, Op::DivS, Op::RemS};
    Expr divisor = make(Op::Or, Type::U32, make(Op::And, Type::U32, u32(depth - 2), constant(0xff)), constant(1));
    return make(ops[random_.below(4)], Type::U32, u32(depth - 1), std::move(divisor));
  }

  Expr memory(int depth) {
    if (program_.private_arrays && !function_ && random_.one_in(2))
      return {Op::LoadPrivate, Type::U32, random_.below(program_.private_arrays), {index(PrivateWords)}};
    if (may_read_local_ && !function_ && random_.one_in(2)) {
      const uint32_t array = 1 + random_.below(program_.local_arrays - 1);
      return {Op::LoadLocal, Type::U32, array, {make(Op::RemU, Type::U32, u32(depth - 2), leaf(Op::LocalLinearSize))}};
    }
    if (random_.one_in(2)) { // near-contiguous
      Expr near = make(Op::Add, Type::U32, leaf(Op::GlobalId, 0), uniform_leaf());
      return {Op::LoadInput, Type::U32, 0, {make(Op::And, Type::U32, std::move(near), constant(InputWords - 1))}};
    }
    return {Op::LoadInput, Type::U32, 0, {index(InputWords)}};
  }

  Expr call(int depth) {
    const size_t callable = program_.functions.size() - (function_ ? 1 : 0);
    if (callable == 0 || calls_ >= 4) return leaf_u32();
    ++calls_;
    const uint32_t f = random_.below(uint32_t(callable));
    Expr e = leaf(Op::Call, f);
    for (uint32_t p = 0; p < program_.functions[f].parameters; ++p) e.args.push_back(u32(depth - 2));
    return e;
  }

  // ---- vectors ---------------------------------------------------------------------------------------------------

  Type vector_type() { return random_.one_in(2) ? Type::U32x2 : Type::U16x4; }

  Expr place_in(Type type) {
    const uint32_t count = component_count(type);
    return random_.one_in(3) ? index(count) : constant(random_.below(count));
  }

  Expr component(int depth) {
    const Type type = vector_type();
    return make(Op::Component, Type::U32, vector(type, depth - 1), place_in(type));
  }

  // Of places (x, y) one component is often the same for all work-items.
  Expr compose(Type type, int depth) {
    Expr e = leaf(Op::Compose, 0, type);
    for (uint32_t c = 0; c < component_count(type); ++c)
      e.args.push_back(random_.one_in(3) ? uniform_leaf() : u32(depth - 1));
    return e;
  }

  Expr shuffle(Type type, int depth) {
    Expr e = make(Op::Shuffle, type, vector(type, depth - 1), vector(type, depth - 1));
    for (uint32_t c = 0; c < component_count(type); ++c)
      e.value |= uint64_t(random_.below(2 * component_count(type))) << (4 * c);
    return e;
  }

  Expr vector(Type type, int depth) {
    static constexpr Op ops[] = {Op::Add, Op::Sub, Op::Mul, Op::And, Op::Xor, Op::MinU, Op::MaxU, Op::MinS, Op::MaxS};
    depth = std::min(depth, most_depth_);
    if (depth <= 0) return variable(type);
    switch (random_.below(10)) {
    case 0:
    case 1:
      return compose(type, depth);
    case 2:
      return shuffle(type, depth);
    case 3:
      return make(Op::WithComponent, type, vector(type, depth - 1), place_in(type), u32(depth - 1));
    case 4: {
      Expr e = make(Op::SelectLess, type, vector(type, depth - 1), vector(type, depth - 1), vector(type, depth - 1));
      e.args.push_back(vector(type, depth - 1));
      return e;
    }
    case 5:
      return make(Op::Select, type, boolean(depth - 1), vector(type, depth - 1), vector(type, depth - 1));
    case 6:
      if (type == Type::U32x2) return {Op::LoadInputPair, type, 0, {input_pair()}};
      return make(Op::Not, type, vector(type, depth - 1));
    default:
      return make(ops[random_.below(std::size(ops))], type, vector(type, depth - 1), vector(type, depth - 1));
    }
  }

  Expr input_pair() {
    if (random_.one_in(2)) return index(InputWords / 2);
    Expr near = make(Op::Add, Type::U32, leaf(Op::GlobalId, 0), uniform_leaf());
    return make(Op::And, Type::U32, std::move(near), constant(InputWords / 2 - 1));
  }

  // ---- other types -----------------------------------------------------------------------------------------------

  Expr u64(int depth) {
    depth = std::min(depth, most_depth_);
    if (depth <= 0) return random_.one_in(2) ? variable(Type::U64) : make(Op::ZeroExtend64, Type::U64, leaf_u32());
    if (random_.one_in(3))
      return make(random_.one_in(2) ? Op::SignExtend64 : Op::ZeroExtend64, Type::U64, u32(depth - 1));
    return make(integer_op(), Type::U64, u64(depth - 1), u64(depth - 1));
  }

  // Small magnitudes, so that no operation reaches infinity and every result is exact to the bit.
  Expr f32(int depth) {
    depth = std::min(depth, most_depth_);
    if (depth <= 0) {
      if (random_.one_in(2)) return variable(Type::F32);
      return make(Op::SToF, Type::F32, make(Op::And, Type::U32, leaf_u32(), constant(0x3ff)));
    }
    static constexpr Op ops[] = {Op::FAdd, Op::FSub, Op::FMul, Op::FMin, Op::FMax};
    if (random_.one_in(6)) return make(Op::FAbs, Type::F32, f32(depth - 1));
    if (random_.one_in(6)) return make(Op::Select, Type::F32, boolean(depth - 1), f32(depth - 1), f32(depth - 1));
    return make(ops[random_.below(5)], Type::F32, f32(depth - 1), f32(depth - 1));
  }

  static Expr clamped(Expr e) {
    return make(Op::FMax, Type::F32, make(Op::FMin, Type::F32, std::move(e), constant(0x447a0000, Type::F32)),
                constant(0xc47a0000, Type::F32)); // +-1000
  }

  Expr boolean(int depth) {
    depth = std::min(depth, most_depth_);
    switch (random_.below(depth > 0 ? 8 : 5)) {
    case 0:
      return make(Op::Equal, Type::Bool, make(Op::And, Type::U32, u32(depth - 1), constant(3)),
                  constant(random_.below(4)));
    case 1:
      return make(Op::LessS, Type::Bool, u32(depth - 1), u32(depth - 1));
    case 2:
      return make(Op::NotEqual, Type::Bool, make(Op::And, Type::U32, u32(depth - 1), constant(1)), constant(0));
    case 3:
      return make(Op::FLess, Type::Bool, f32(depth - 1), f32(depth - 1));
    case 4:
      return make(Op::LessU, Type::Bool, u32(depth - 1), u32(depth - 1));
    case 5:
      return make(Op::LogicalAnd, Type::Bool, boolean(depth - 1), boolean(depth - 1));
    case 6:
      return make(Op::LogicalOr, Type::Bool, boolean(depth - 1), boolean(depth - 1));
    default:
      return make(Op::LogicalNot, Type::Bool, boolean(depth - 1));
    }
  }

  Expr value(Type type, int depth) {
    if (is_vector(type)) return vector(type, depth);
    if (type == Type::F32) return clamped(f32(depth));
    return type == Type::U64 ? u64(depth) : u32(depth);
  }

  Random random_;
  const bool vectors_;
  Program program_;
  Function* function_ = nullptr;   // the helper function that is being made
  std::vector<uint32_t> reserved_; // loop counters of the loops around
  bool may_read_local_ = false;
  int most_depth_ = 3; // of expressions
  uint32_t calls_ = 0;
};

} // namespace zeroth::random_programs
