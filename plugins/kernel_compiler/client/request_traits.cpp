#include "request_traits.hpp"

#include <cstring>
#include <sstream>
#include <string>

namespace zeroth::compiler {
namespace {

constexpr uint32_t magic = 0x07230203;
constexpr size_t header_words = 5;
constexpr uint32_t op_function = 54, op_variable = 59, cross_workgroup = 5;

} // namespace

bool wants_report(std::string_view flags) {
  std::istringstream words{std::string(flags)};
  for (std::string flag; words >> flag;)
    if (flag == "-v" || flag == "-g" || flag.ends_with("-library-compilation") || flag.starts_with("-zeroth-emit"))
      return true;
  return false;
}

bool has_program_variables(Bytes spirv) {
  std::vector<uint32_t> words(spirv.size() / sizeof(uint32_t));
  if (!words.empty()) std::memcpy(words.data(), spirv.data(), words.size() * sizeof(uint32_t));
  if (words.size() < header_words || words[0] != magic) return true;
  for (size_t at = header_words; at < words.size();) {
    const size_t count = words[at] >> 16;
    const uint32_t opcode = words[at] & 0xffff;
    if (count == 0 || count > words.size() - at) return true;
    if (opcode == op_function) return false;
    if (opcode == op_variable && count >= 4 && words[at + 3] == cross_workgroup) return true;
    at += count;
  }
  return false;
}

} // namespace zeroth::compiler
