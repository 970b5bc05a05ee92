// What a module needs of a machine, as text that another run or machine can check: the instruction set its code was
// made for.  zeroth-cpu;abi=1;cpu=znver3;features=+avx,+avx2,…
#include "device.hpp"
#include "module.hpp"

#include <sdk/error.hpp>

#include <cstring>
#include <set>
#include <string_view>

namespace zeroth::cpu {

namespace {

constexpr const char* Key = "zeroth-cpu";

std::string requirements() {
  const compiler::CpuTarget& target = compiler::Compiler::host_cpu();
  std::string needed; // what the machine lacks nobody needs
  std::string_view rest = target.features;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    if (rest.front() == '+') (needed += needed.empty() ? "" : ",") += rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return std::string(Key) + ";abi=" + std::to_string(ZEROTH_KERNEL_ABI_VERSION) + ";cpu=" + target.name +
         ";features=" + needed;
}

// The value behind "name=" up to the next semicolon.
std::string_view field(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + name.size());
  return text.substr(0, text.find(';'));
}

std::set<std::string_view> features(std::string_view list) {
  std::set<std::string_view> found;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    found.insert(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return found;
}

ze_validate_runtime_requirements_result_t judge(std::string_view needed, std::string_view here) {
  if (needed.substr(0, std::strlen(Key)) != Key) return ZE_VALIDATE_RUNTIME_REQUIREMENTS_RESULT_NOT_APPLICABLE;
  if (needed == here) return ZE_VALIDATE_RUNTIME_REQUIREMENTS_RESULT_REQUIREMENTS_MET;
  if (field(needed, ";abi=") != field(here, ";abi="))
    return ZE_VALIDATE_RUNTIME_REQUIREMENTS_RESULT_REQUIREMENTS_NOT_MET;
  const auto there = features(field(here, ";features="));
  for (std::string_view one : features(field(needed, ";features=")))
    if (!there.count(one)) return ZE_VALIDATE_RUNTIME_REQUIREMENTS_RESULT_REQUIREMENTS_NOT_MET;
  return ZE_VALIDATE_RUNTIME_REQUIREMENTS_RESULT_REQUIREMENTS_MET_RECOMPILATION_ADVISABLE;
}

} // namespace

ze_result_t CpuDevice::get_runtime_requirements_key(const char** key) {
  *key = Key;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::get_runtime_requirements(const void* desc, size_t* size, char* text) {
  const auto& module = *static_cast<const ze_runtime_requirements_module_desc_t*>(desc);
  if (module.stype != ZE_STRUCTURE_TYPE_RUNTIME_REQUIREMENTS_MODULE_DESC || !module.requirementsSrc)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("requirements are those of a module"));
  const std::string needed = requirements(); // of all code that is made here
  if (text && *size < needed.size() + 1)
    throw Error(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "{} bytes are needed, {} are there", needed.size() + 1, *size);
  if (text) std::memcpy(text, needed.c_str(), needed.size() + 1);
  *size = needed.size() + 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::validate_runtime_requirements(const char* text, ze_validate_runtime_requirements_output_t* out) {
  out->result = judge(text, requirements());
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::cpu
