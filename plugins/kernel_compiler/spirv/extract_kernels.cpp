#include "extract_kernels.hpp"

#include <set>

namespace zeroth::spirv {
namespace {

constexpr uint32_t CrossWorkgroup = 5;
constexpr size_t HeaderWords = 5;

bool names_its_subject_first(Op op) {
  switch (op) {
  case Op::Name:
  case Op::MemberName:
  case Op::Decorate:
  case Op::MemberDecorate:
  case Op::DecorateId:
  case Op::DecorateString:
  case Op::MemberDecorateString:
  case Op::ExecutionMode:
  case Op::ExecutionModeId:
    return true;
  default:
    return false;
  }
}

} // namespace

KernelExtractor::KernelExtractor(std::span<const uint32_t> words, std::span<const SpecConstantValue> constants)
    : module_(decode(words)), index_(index_module(module_)) {
  Layout layout(index_, constants);
  info_ = inspect(index_, layout);
  divisible_ = info_.imports.empty();
  std::set<std::string_view> names;
  for (const Symbol& symbol : info_.exports) divisible_ &= symbol.is_function; // variables have one address each
  for (const Kernel& kernel : info_.kernels) divisible_ &= names.insert(kernel.name).second;
  if (divisible_) find_functions();
}

size_t KernelExtractor::words_of(size_t instruction) const {
  return module_.words[module_.instructions[instruction].offset] >> 16;
}

void KernelExtractor::find_functions() {
  const auto& instructions = module_.instructions;
  function_of_.assign(instructions.size(), 0);
  references_.resize(index_.functions.size());
  for (size_t f = 0; f < index_.functions.size(); ++f) {
    const FunctionRange& range = index_.functions[f];
    std::set<size_t> found;
    for (size_t i = range.first; i <= range.end; ++i) {
      function_of_[i] = static_cast<uint32_t>(f + 1);
      // Any word that could be a function's id counts as one: a few too many do no harm.
      for (uint32_t word : instructions[i].operands)
        if (const auto at = index_.function_by_id.find(word); at != index_.function_by_id.end())
          found.insert(at->second);
    }
    references_[f].assign(found.begin(), found.end());
    if (range.body == range.end) always_.push_back(f);
  }
  for (size_t i = 0; i < instructions.size(); ++i) {
    if (function_of_[i]) continue;
    const Instruction& instruction = instructions[i];
    if (instruction.op == Op::DecorationGroup || instruction.op == Op::ConditionalEntryPointINTEL) divisible_ = false;
    if (instruction.op == Op::Variable && !instruction.operands.empty() && instruction.operands[0] == CrossWorkgroup)
      divisible_ = false;
    if (instruction.op == Op::ConstantFunctionPointerINTEL && !instruction.operands.empty())
      if (const auto at = index_.function_by_id.find(instruction.operands[0]); at != index_.function_by_id.end())
        always_.push_back(at->second);
  }
}

size_t KernelExtractor::size(size_t kernel) const {
  const FunctionRange& range = index_.functions[index_.function_by_id.at(index_.entry_points[kernel].function)];
  return module_.instructions[range.end].offset - module_.instructions[range.first].offset;
}

std::vector<bool> KernelExtractor::with_all_they_name(std::vector<size_t> open) const {
  std::vector<bool> wanted(index_.functions.size());
  open.insert(open.end(), always_.begin(), always_.end());
  while (!open.empty()) {
    const size_t f = open.back();
    open.pop_back();
    if (wanted[f]) continue;
    wanted[f] = true;
    open.insert(open.end(), references_[f].begin(), references_[f].end());
  }
  return wanted;
}

bool KernelExtractor::is_defined_in_dropped(uint32_t id, const std::vector<bool>& functions) const {
  const uint32_t definition = id < module_.definitions.size() ? module_.definitions[id] : 0;
  const uint32_t function = definition ? function_of_[definition - 1] : 0;
  return function && !functions[function - 1];
}

bool KernelExtractor::is_kept(size_t number, const std::vector<bool>& functions) const {
  if (function_of_[number]) return functions[function_of_[number] - 1];
  const Instruction& instruction = module_.instructions[number];
  if (names_its_subject_first(instruction.op) && !instruction.operands.empty())
    return !is_defined_in_dropped(instruction.operands[0], functions);
  return true;
}

std::vector<uint32_t> KernelExtractor::extract(std::span<const size_t> kernels) const {
  std::vector<size_t> roots;
  for (size_t kernel : kernels) roots.push_back(index_.function_by_id.at(index_.entry_points[kernel].function));
  return extract(kernels, std::move(roots));
}

std::vector<uint32_t> KernelExtractor::extract_exports() const {
  std::vector<size_t> roots;
  for (size_t f = 0; f < index_.functions.size(); ++f)
    if (index_.is_offered(index_.functions[f])) roots.push_back(f);
  return extract({}, std::move(roots));
}

std::vector<uint32_t> KernelExtractor::extract(std::span<const size_t> kernels, std::vector<size_t> roots) const {
  const std::vector<bool> functions = with_all_they_name(std::move(roots));
  std::vector<bool> chosen(index_.entry_points.size());
  for (size_t kernel : kernels) chosen[kernel] = true;
  std::vector<uint32_t> words(module_.words.begin(), module_.words.begin() + HeaderWords);
  size_t entry = 0;
  for (size_t i = 0; i < module_.instructions.size(); ++i) {
    const bool is_entry = module_.instructions[i].op == Op::EntryPoint;
    if (is_entry ? !chosen[entry++] : !is_kept(i, functions)) continue;
    const auto first = module_.words.begin() + module_.instructions[i].offset;
    words.insert(words.end(), first, first + static_cast<ptrdiff_t>(words_of(i)));
  }
  return words;
}

} // namespace zeroth::spirv
