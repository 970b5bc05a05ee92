#include "kernel_compiler.hpp"

namespace zeroth::compiler {

const KernelInfo* CompiledModule::kernel(std::string_view name) const {
  for (const KernelInfo& kernel : kernels())
    if (kernel.name == name) return &kernel;
  return nullptr;
}

} // namespace zeroth::compiler
