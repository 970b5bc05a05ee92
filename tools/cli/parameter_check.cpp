#include "cli/parameter_check.hpp"

#include <fmt/format.h>

namespace zeroth::cli {
namespace {

using Given = Argument::Kind;

// A vector of three has room for a fourth.
bool fits(const Argument& given, const spirv::Argument& parameter) {
  const size_t bytes = given.value.size();
  return bytes == parameter.size || (parameter.type_name.ends_with('3') && bytes / 3 * 4 == parameter.size);
}

std::string of_value(const Argument& given, const spirv::Argument& parameter) {
  if (given.kind != Given::Value)
    return fmt::format("the kernel takes a value of type {} here, such as i32:1", parameter.type_name);
  if (const std::string why = mismatch(given, parameter.type_name); !why.empty()) return why;
  if (fits(given, parameter)) return {};
  return fmt::format("the kernel takes {} bytes here ({}), and this has {}", parameter.size, parameter.type_name,
                     given.value.size());
}

} // namespace

std::string mismatch(const Argument& given, const spirv::Argument& parameter) {
  switch (parameter.kind) {
  case spirv::Argument::Kind::Value:
    return of_value(given, parameter);
  case spirv::Argument::Kind::Pointer:
    if (given.kind == Given::Buffer || given.kind == Given::Null) return {};
    return "the kernel takes a pointer to memory here: give it a buffer, such as f32[]:1024, or null";
  case spirv::Argument::Kind::Local:
    if (given.kind == Given::Local) return {};
    return "the kernel takes work-group memory here: give it some, such as local:4096";
  case spirv::Argument::Kind::Image:
    return "the kernel takes an image here, and images cannot be given";
  case spirv::Argument::Kind::Sampler:
    break;
  }
  return "the kernel takes a sampler here, and samplers cannot be given";
}

} // namespace zeroth::cli
