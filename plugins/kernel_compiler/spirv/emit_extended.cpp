// OpExtInst: OpenCL.std by its table; sets that only describe (debug information, non-semantic ones) are left alone.
#include "opencl_std.hpp"

#include <algorithm>
#include <iterator>

namespace zeroth::spirv {
namespace {

struct StdInfo {
  uint32_t number;
  const char* name;
  int operands; // -1: one and more
  opencl_std::Emit emit;
};

constexpr StdInfo std_table[] = {
#define OPENCL_STD(number, name, operands, function) {number, #name, operands, opencl_std::function},
#include "grammar/opencl_std.inc"
#undef OPENCL_STD
};
static_assert(std::ranges::is_sorted(std_table, {}, &StdInfo::number));

void opencl(Emitter& e, const Instruction& inst) {
  const uint32_t number = inst.operand(1);
  const auto* found = std::ranges::lower_bound(std_table, number, {}, &StdInfo::number);
  if (found == std::end(std_table) || found->number != number)
    inst.fail("OpenCL.std instruction " + std::to_string(number) + " is not known");
  Instruction arguments = inst;
  arguments.operands = inst.operands.subspan(2);
  const bool fits = found->operands < 0 ? arguments.size() >= 1 : arguments.size() == size_t(found->operands);
  if (!fits) inst.fail(std::string("has not as many operands as ") + found->name + " takes");
  found->emit(e, arguments, found->name);
}

void extended(Emitter& e, const Instruction& inst) {
  const auto set = e.reader.index.instruction_sets.find(inst.operand(0));
  if (set == e.reader.index.instruction_sets.end()) inst.fail("belongs to no imported instruction set");
  if (set->second == InstructionSet::OpenCLStd) opencl(e, inst);
}

constexpr EmitterEntry table[] = {
    {Op::ExtInst, extended},
    {Op::ExtInstWithForwardRefsKHR, extended},
};

} // namespace

EmitterTable extended_emitters() { return table; }

} // namespace zeroth::spirv
