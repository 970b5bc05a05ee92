#include "broken_modules.hpp"

#include "random_programs/spirv_writer.hpp"

#include <functional>
#include <kernel_compiler/spirv/mutator.hpp>
#include <spirv/unified1/spirv.hpp>

namespace device_tests {
namespace {

using Writer = zeroth::random_programs::SpirvWriter;
using Words = Writer::Words;
using Id = Writer::Id;
using Section = Writer::Section;

// A module with one kernel without parameters, whose body `write` may add to.
class Sketch {
public:
  Sketch() {
    for (spv::Capability c : {spv::CapabilityAddresses, spv::CapabilityKernel, spv::CapabilityInt64})
      w.emit(Section::Capabilities, spv::OpCapability, {c});
    w.emit(Section::Memory, spv::OpMemoryModel, {spv::AddressingModelPhysical64, spv::MemoryModelOpenCL});
    nothing = w.declare(spv::OpTypeVoid, {});
    boolean = w.declare(spv::OpTypeBool, {});
    u32 = w.declare(spv::OpTypeInt, {32, 0});
    u64 = w.declare(spv::OpTypeInt, {64, 0});
    signature = w.declare(spv::OpTypeFunction, {nothing});
    kernel = w.new_id();
    Words entry{spv::ExecutionModelKernel, kernel};
    for (std::uint32_t word : Writer::text("broken")) entry.push_back(word);
    w.emit(Section::EntryPoints, spv::OpEntryPoint, entry);
  }

  Id constant(std::uint32_t value) { return w.declare_typed(spv::OpConstant, u32, {value}); }
  Id long_constant(std::uint64_t value) {
    return w.declare_typed(spv::OpConstant, u64, {std::uint32_t(value), std::uint32_t(value >> 32)});
  }
  void function(Id id, const std::function<void()>& body) {
    w.emit(spv::OpFunction, {nothing, id, 0, signature});
    w.emit(spv::OpLabel, {w.new_id()});
    body();
    w.emit(spv::OpReturn, {});
    w.emit(spv::OpFunctionEnd, {});
  }
  void call(Id function) { w.result(spv::OpFunctionCall, nothing, {function}); }
  std::vector<std::uint32_t> finish(const std::function<void()>& body = [] {}) {
    function(kernel, body);
    return w.finish();
  }

  Writer w;
  Id nothing, boolean, u32, u64, signature, kernel;
};

std::vector<std::uint32_t> unknown_extension(std::uint32_t variant) {
  Sketch s;
  s.w.emit(Section::Capabilities, spv::OpExtension, Writer::text("SPV_VENDOR_unheard_of_" + std::to_string(variant)));
  return s.finish();
}

std::vector<std::uint32_t> unknown_capability(std::uint32_t variant) {
  Sketch s;
  s.w.emit(Section::Capabilities, spv::OpCapability, {0x7000'0000u + variant});
  return s.finish();
}

// A circle of 1 to 5 functions.
std::vector<std::uint32_t> recursion(std::uint32_t variant) {
  Sketch s;
  std::vector<Id> circle;
  for (std::uint32_t i = 0; i <= variant % 5; ++i) circle.push_back(s.w.new_id());
  for (std::size_t i = 0; i < circle.size(); ++i)
    s.function(circle[i], [&] { s.call(circle[(i + 1) % circle.size()]); });
  return s.finish([&] { s.call(circle[0]); });
}

std::vector<std::uint32_t> huge_array(std::uint32_t variant) {
  constexpr spv::StorageClass classes[] = {spv::StorageClassFunction, spv::StorageClassWorkgroup};
  const spv::StorageClass where = classes[variant % 2];
  const std::uint64_t words = (std::uint64_t(1) << 29) << variant % 30; // of 4 bytes: 2 GiB and more
  Sketch s;
  const Id array = s.w.declare(spv::OpTypeArray, {s.u32, s.long_constant(words)});
  const Id pointer = s.w.declare(spv::OpTypePointer, {where, array});
  const Id element = s.w.declare(spv::OpTypePointer, {where, s.u32});
  const auto use = [&](Id variable) {
    const Id at = s.w.result(spv::OpAccessChain, element, {variable, s.constant(variant)});
    s.w.emit(spv::OpStore, {at, s.constant(1), spv::MemoryAccessVolatileMask | spv::MemoryAccessAlignedMask, 4});
  };
  if (where == spv::StorageClassFunction)
    return s.finish([&] { use(s.w.result(spv::OpVariable, pointer, {std::uint32_t(where)})); });
  const Id variable = s.w.new_id();
  s.w.emit(Section::Declarations, spv::OpVariable, {pointer, variable, std::uint32_t(where)});
  return s.finish([&] { use(variable); });
}

// Structs and arrays that contain each other in a circle.
std::vector<std::uint32_t> endless_type(std::uint32_t variant) {
  Sketch s;
  std::vector<Id> circle;
  for (std::uint32_t i = 0; i <= variant % 4; ++i) circle.push_back(s.w.new_id());
  for (std::size_t i = 0; i < circle.size(); ++i) {
    const Id next = circle[(i + 1) % circle.size()];
    if (variant % 2 && i == 0)
      s.w.emit(Section::Declarations, spv::OpTypeArray, {circle[i], next, s.constant(2)});
    else
      s.w.emit(Section::Declarations, spv::OpTypeStruct, {circle[i], s.u32, next});
  }
  const Id pointer = s.w.declare(spv::OpTypePointer, {spv::StorageClassFunction, circle[0]});
  return s.finish([&] { s.w.result(spv::OpVariable, pointer, {spv::StorageClassFunction}); });
}

// Blocks whose values come from each other: each needs the other one first.
std::vector<std::uint32_t> endless_blocks(std::uint32_t variant) {
  Sketch s;
  return s.finish([&] {
    std::vector<Id> labels, values;
    for (std::uint32_t i = 0; i < 2 + variant % 5; ++i) {
      labels.push_back(s.w.new_id());
      values.push_back(s.w.new_id());
    }
    s.w.emit(spv::OpBranch, {labels[0]});
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::size_t next = (i + 1) % labels.size();
      s.w.emit(spv::OpLabel, {labels[i]});
      s.w.emit(spv::OpIAdd, {s.u32, values[i], values[next], s.constant(1)}); // not a phi: nothing comes first
      s.w.emit(spv::OpBranch, {labels[next]});
    }
    s.w.emit(spv::OpLabel, {s.w.new_id()});
  });
}

} // namespace

std::vector<BrokenModule> named_broken_modules(std::uint32_t variants) {
  struct Kind {
    const char* name;
    std::vector<std::uint32_t> (*make)(std::uint32_t variant);
  };
  constexpr Kind kinds[] = {{"unknown extension", unknown_extension},
                            {"unknown capability", unknown_capability},
                            {"recursion", recursion},
                            {"huge array", huge_array},
                            {"endless type", endless_type},
                            {"endless blocks", endless_blocks}};
  std::vector<BrokenModule> modules;
  for (const Kind& kind : kinds)
    for (std::uint32_t variant = 0; variant < variants; ++variant)
      modules.push_back({kind.name, kind.make(variant), false});
  return modules;
}

BrokenModule mutant(std::uint64_t seed, const std::vector<std::vector<std::uint32_t>>& good) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> words = good[seed % good.size()];
  switch (seed % 4) {
  case 0: {
    words.resize(random() % words.size());
    return {"truncated", std::move(words), true};
  }
  case 1: {
    for (std::uint64_t flips = 1 + random() % 3; flips > 0; --flips)
      words[random() % words.size()] ^= 1u << random() % 32;
    return {"bits flipped", std::move(words), true};
  }
  default:
    return {"changed", zeroth::spirv::test::Mutator(seed).mutate(std::move(words)), true};
  }
}

} // namespace device_tests
