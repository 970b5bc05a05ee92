// Small SPIR-V modules out of a large one: some of its kernels with all that they reach. What they compile to is what
// the large module's kernels do, so kernels of a large module can be compiled one by one. No LLVM. Threads: extract()
// from any.
#pragma once

#include "inspect.hpp"
#include "module_index.hpp"

namespace zeroth::spirv {

class KernelExtractor {
public:
  // Throws ReadError.
  KernelExtractor(std::span<const uint32_t> words, std::span<const SpecConstantValue> constants);
  KernelExtractor(const KernelExtractor&) = delete;

  const Inspection& info() const { return info_; }
  // Kernels may be taken apart: they share no variables, import nothing, and each name is there once.
  bool is_divisible() const { return divisible_; }
  // Words of the kernel's own function.
  size_t size(size_t kernel) const;

  // The module with only these kernels, numbered as in info().kernels.
  std::vector<uint32_t> extract(std::span<const size_t> kernels) const;
  // The module without kernels, with the functions that it exports.
  std::vector<uint32_t> extract_exports() const;

private:
  std::vector<uint32_t> extract(std::span<const size_t> kernels, std::vector<size_t> functions) const;
  std::vector<bool> with_all_they_name(std::vector<size_t> functions) const;
  void find_functions();
  size_t words_of(size_t instruction) const;
  bool is_kept(size_t instruction, const std::vector<bool>& functions) const; // of all but entry points
  bool is_defined_in_dropped(uint32_t id, const std::vector<bool>& functions) const;

  Module module_;
  ModuleIndex index_;
  Inspection info_;
  bool divisible_ = true;
  std::vector<uint32_t> function_of_;           // by instruction: number of the function it is in, plus 1; 0: none
  std::vector<std::vector<size_t>> references_; // by function: functions that it names
  std::vector<size_t> always_;                  // functions that global instructions name, and those without a body
};

} // namespace zeroth::spirv
