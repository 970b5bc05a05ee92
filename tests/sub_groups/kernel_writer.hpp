// Writes a SPIR-V module of small kernels, each: x = in[id]; pick = picks[id]; out[id] = operation(x, pick),
// for all work-items or for those with flags[id] set.
#pragma once

#include "random_programs/spirv_writer.hpp"

#include <functional>
#include <spirv/unified1/spirv.hpp>
#include <string>

namespace zeroth::sub_groups {

using Id = random_programs::SpirvWriter::Id;
using Words = random_programs::SpirvWriter::Words;

enum class Type : uint8_t { U8, U16, U32, U64, F32, F64 };
constexpr uint32_t bytes_of(Type type) {
  return type == Type::U8 ? 1 : type == Type::U16 ? 2 : type == Type::U32 || type == Type::F32 ? 4 : 8;
}
constexpr bool is_float(Type type) { return type == Type::F32 || type == Type::F64; }

class KernelWriter {
public:
  explicit KernelWriter(uint32_t sub_group_size);

  // Adds kernel `name`; `body` writes the operation between load and store. `some`: only where flags[id] is not 0.
  void kernel(const std::string& name, Type type, bool some, const std::function<Id(KernelWriter&)>& body);
  Words finish() { return w.finish(); }

  // For bodies.
  Id x = 0, pick = 0;           // of this work-item
  Id in = 0, out = 0;           // typed pointers
  Id u32, u64, boolean, ballot; // types; ballot: four u32
  Id type(Type t) const;
  Id constant(uint32_t value) { return w.declare_typed(spv::OpConstant, u32, {value}); }
  Id scope() { return constant(spv::ScopeSubgroup); }
  Id value(uint16_t opcode, Id result_type, const Words& operands) { return w.result(opcode, result_type, operands); }
  Id builtin(spv::BuiltIn which); // u32, or the four words of a mask
  Id as(Type t, Id word);         // a u32 as a value of the type
  Id flag(Id condition, Type t);  // 1 or 0
  Id low_words(Id four);          // of a ballot, as u64
  Id nonzero(Id word);            // u32 or the case's type U32
  Id is_odd(Id of_x);
  Id element(Id base, Type t, Id index_u64);

  random_programs::SpirvWriter w;

private:
  Id global(Type t) { return w.declare(spv::OpTypePointer, {spv::StorageClassCrossWorkgroup, type(t)}); }
  Id load(Id pointer, Type t) {
    return value(spv::OpLoad, type(t), {pointer, spv::MemoryAccessAlignedMask, bytes_of(t)});
  }

  uint32_t size_;
  Id nothing_, u8_, u16_, f32_, f64_, ids_;
  std::map<spv::BuiltIn, Id> builtins_;
};

} // namespace zeroth::sub_groups
