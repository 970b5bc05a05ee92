// A random kernel as a small syntax tree: what the generator makes, the interpreter runs and the SPIR-V emitter writes.
//
// The tree means what SPIR-V means: integers are bit patterns and signedness is in the operation. Every program is
// legal by construction: divisors are never zero, shift amounts and indices are in range, local memory is only
// exchanged between barriers, and every barrier is reached by all work-items of its group or sub-group that have not
// returned.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace zeroth::random_programs {

enum class Type : uint8_t { Bool, U32, U64, F32, U32x2, U16x4 };

// Vectors are kept in 64 bits, the first component in the lowest ones.
constexpr uint32_t component_count(Type type) { return type == Type::U32x2 ? 2 : type == Type::U16x4 ? 4 : 1; }
constexpr uint32_t component_bits(Type type) { return 64 / component_count(type); }
constexpr bool is_vector(Type type) { return component_count(type) > 1; }

enum class Op : uint8_t {
  // Leaves; `value` is the constant's bits, the variable, the uniform argument or the dimension.
  Constant,
  Variable,
  Uniform,
  GlobalId,
  LocalId,
  GroupId,
  LocalSize,
  LocalLinearId,
  LocalLinearSize,
  SubGroupId,
  SubGroupLocalId,
  SubGroupSize, // of this one: the last may be smaller
  // Memory; `value` is the array, args[0] the index (in range). Call: `value` is the function.
  LoadInput,
  LoadPrivate,
  LoadLocal,
  Call,
  // Integers.
  Add,
  Sub,
  Mul,
  And,
  Or,
  Xor,
  Not,
  Shl,
  ShrU,
  ShrS,
  DivU,
  RemU,
  DivS,
  RemS,
  MinU,
  MaxU,
  MinS,
  MaxS,
  PopCount,
  Clz,
  SignExtend8,
  ZeroExtend16, // keep the low bits of a U32 through a narrower type
  // Floats.
  FAdd,
  FSub,
  FMul,
  FMin,
  FMax,
  FAbs,
  // Comparisons and logic: Bool results.
  Equal,
  NotEqual,
  LessU,
  LessS,
  FLess,
  LogicalAnd,
  LogicalOr,
  LogicalNot,
  Select, // args: Bool, a, b
  // Conversions.
  ZeroExtend64,
  SignExtend64,
  Truncate32,
  SToF,
  FToS,
  FloatBits,
  // Vectors. Add, Sub, Mul, And, Or, Xor, Not, minima, maxima and Select work on them too.
  Compose,       // args: a U32 for each component, which keeps as many low bits as it has
  Component,     // as U32: component args[1] (in range) of args[0]
  WithComponent, // args[0] with the low bits of args[2] as component args[1] (in range)
  Shuffle,       // value: four bits for each component, which count through those of args[0] and args[1]
  SelectLess,    // for each component: args[0] < args[1] (unsigned) ? args[2] : args[3]
  LoadInputPair, // U32x2: input words 2 * args[0] and the next
};

struct Expr {
  Op op = Op::Constant;
  Type type = Type::U32;
  uint64_t value = 0;
  std::vector<Expr> args;
};

enum class Kind : uint8_t {
  Assign,       // variables[target] = a
  StorePrivate, // private array[target][a] = b
  StoreOutput,  // output[global linear id * slots + target] = a (U32)
  StoreLocal,   // local array[target][a] = b
  AtomicGlobal, // counters[a] op= b, op = AtomicOp(target)
  AtomicLocal,  // tally[a] op= b, op = AtomicOp(target)
  Barrier,
  SubGroupBarrier,
  If,       // a ? body : other
  Switch,   // a selects among cases by their position, otherwise `other`; falls_through: a case runs into the next one
  For,      // variables[target] counts from 0 up to a (evaluated once, kept in variables[target + 1])
  DoWhile,  // the same, but the body runs at least once
  Break,    // leaves the innermost loop
  Continue, // goes on with the innermost loop
  Return,   // in a function: with value a
  SubGroup, // variables[target] = SubGroupOp(sub_group_op) over a (U32) of the active work-items
};

enum class AtomicOp : uint8_t { Add, And, Or, Xor, MinU, MaxU };
enum class SubGroupOp : uint8_t {
  ReduceAdd,
  ReduceMinU,
  ReduceMaxS,
  ReduceXor,
  InclusiveAdd,
  ExclusiveAdd,
  BroadcastFirst,
  Reverse,
  Any,
  All,
  CountBallot,
  // Of active work-items only, so that they also work where some are missing.
  ScanMinU,
  ScanOr,
  ExclusiveMaxS,
  LowestBallot, // the first lane whose value is odd, else the maximum size
  Elect,
  AllEqual,
  BallotBelow, // how many before it are odd
};
constexpr uint32_t SubGroupOpCount = 18;

struct Stmt;
using Block = std::vector<Stmt>;

struct Stmt {
  Kind kind = Kind::Barrier;
  uint32_t target = 0;
  Expr a{}, b{};
  SubGroupOp sub_group_op = SubGroupOp::ReduceAdd;
  bool falls_through = false;
  Block body{}, other{};
  std::vector<Block> cases{};
};

// A helper function: parameters are its first variables (U32), the result is U32.
struct Function {
  uint32_t parameters = 0;
  std::vector<Type> variables;
  Block body;
  Expr result; // when the end of the body is reached
};

constexpr uint32_t InputWords = 1024; // buffer that every work-item may read anywhere
constexpr uint32_t CounterWords = 16; // buffer of global atomics
constexpr uint32_t PrivateWords = 8;  // of each private array
constexpr uint32_t LocalWords = 512;  // of each exchange array; a group has at most so many work-items
constexpr uint32_t TallyWords = 4;    // local atomics
constexpr uint32_t UniformCount = 4;  // scalar arguments
constexpr uint32_t TallyArray = 0;    // local array 0 is the tally; 1.. are exchange arrays

struct Program {
  uint64_t seed = 0;
  std::array<uint32_t, 3> group_size{1, 1, 1};
  std::array<uint32_t, 3> group_count{1, 1, 1};
  std::array<uint32_t, UniformCount> uniforms{};
  uint32_t required_sub_group_size = 0; // 0: none
  bool requires_group_size = false;
  uint32_t slots = 1; // output words of a work-item
  uint32_t private_arrays = 0;
  uint32_t local_arrays = 0; // the tally included
  bool uses_sub_groups = false;
  bool uses_barriers = false;
  bool uses_sub_group_barriers = false; // has one more local array, the last: each sub-group exchanges in its own cells
  std::vector<Type> variables;
  std::vector<Function> functions; // a function calls only those before it
  Block body;

  uint32_t group_items() const { return group_size[0] * group_size[1] * group_size[2]; }
  uint32_t groups() const { return group_count[0] * group_count[1] * group_count[2]; }
  uint32_t items() const { return group_items() * groups(); }
  uint32_t all_local_arrays() const { return local_arrays + uses_sub_group_barriers; }
};

// The program as text for a human who looks for the fault.
std::string to_text(const Program& program);

} // namespace zeroth::random_programs
