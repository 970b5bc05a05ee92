#include "storage.hpp"

#include "../dialect.hpp"
#include "inspect.hpp"

#include <algorithm>
#include <iterator>

namespace zeroth::spirv {
namespace {

struct BuiltInName {
  uint32_t number;
  std::string_view name;
};

// Numbers of BuiltIn; producers import the variables by these names with the prefix __spirv_BuiltIn.
constexpr BuiltInName builtins[] = {
    {24, "NumWorkgroups"},
    {25, "WorkgroupSize"},
    {26, "WorkgroupId"},
    {27, "LocalInvocationId"},
    {28, "GlobalInvocationId"},
    {29, "LocalInvocationIndex"},
    {30, "WorkDim"},
    {31, "GlobalSize"},
    {32, "EnqueuedWorkgroupSize"},
    {33, "GlobalOffset"},
    {34, "GlobalLinearId"},
    {36, "SubgroupSize"},
    {37, "SubgroupMaxSize"},
    {38, "NumSubgroups"},
    {39, "NumEnqueuedSubgroups"},
    {40, "SubgroupId"},
    {41, "SubgroupLocalInvocationId"},
    {4416, "SubgroupEqMask"},
    {4417, "SubgroupGeMask"},
    {4418, "SubgroupGtMask"},
    {4419, "SubgroupLeMask"},
    {4420, "SubgroupLtMask"},
};

constexpr std::string_view intrinsics[] = {
    "llvm.abs.",       "llvm.bitreverse.",    "llvm.bswap.",   "llvm.ceil.",      "llvm.copysign.", "llvm.ctlz.",
    "llvm.ctpop.",     "llvm.cttz.",          "llvm.fabs.",    "llvm.floor.",     "llvm.fma.",      "llvm.fmuladd.",
    "llvm.fshl.",      "llvm.fshr.",          "llvm.maximum.", "llvm.maxnum.",    "llvm.memcpy.",   "llvm.memmove.",
    "llvm.memset.",    "llvm.minimum.",       "llvm.minnum.",  "llvm.nearbyint.", "llvm.rint.",     "llvm.round.",
    "llvm.roundeven.", "llvm.sadd.",          "llvm.smax.",    "llvm.smin.",      "llvm.smul.",     "llvm.sqrt.",
    "llvm.ssub.",      "llvm.trunc.",         "llvm.uadd.",    "llvm.umax.",      "llvm.umin.",     "llvm.umul.",
    "llvm.usub.",      "llvm.vector.reduce.",
};

} // namespace

uint32_t address_space(StorageClass storage, const Instruction& where) {
  switch (storage) {
  case StorageClass::UniformConstant:
  case StorageClass::Input:
    return dialect::Constant;
  case StorageClass::Workgroup:
    return dialect::Local;
  case StorageClass::CrossWorkgroup:
  case StorageClass::DeviceOnly:
  case StorageClass::HostOnly:
  case StorageClass::Image:
    return dialect::Global;
  case StorageClass::Function:
  case StorageClass::Private:
  case StorageClass::CodeSectionINTEL:
    return dialect::Private;
  case StorageClass::Generic:
    return dialect::Generic;
  }
  where.fail("storage class " + std::to_string(uint32_t(storage)) + " is not supported");
}

uint32_t address_space(const Instruction& pointer_type) {
  return address_space(StorageClass(pointer_type.operand(0)), pointer_type);
}

std::optional<uint32_t> builtin_of(const ModuleIndex& index, uint32_t variable) {
  if (const DecorationUse* use = index.decoration(variable, Decoration::BuiltIn); use && !use->operands.empty())
    return use->operands[0];
  std::string_view name;
  if (index.linkage(variable, &name) != Linkage::Import) return {};
  constexpr std::string_view prefix = "__spirv_BuiltIn";
  if (!name.starts_with(prefix)) return {};
  const auto found = std::ranges::find(builtins, name.substr(prefix.size()), &BuiltInName::name);
  return found == std::end(builtins) ? std::nullopt : std::optional<uint32_t>(found->number);
}

bool is_known_intrinsic(std::string_view name) {
  return std::ranges::any_of(intrinsics, [&](std::string_view known) { return name.starts_with(known); });
}

} // namespace zeroth::spirv
