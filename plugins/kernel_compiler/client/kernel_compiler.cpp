#include "kernel_compiler.hpp"

namespace zeroth::compiler {

const KernelInfo* CompiledModule::kernel(std::string_view name) const {
  for (const KernelInfo& kernel : kernels())
    if (kernel.name == name) return &kernel;
  return nullptr;
}

void* CompiledModule::function_address(std::string_view name) const {
  for (const SymbolInfo& symbol : exports())
    if (symbol.kind == SymbolKind::Function && symbol.name == name) return symbol.address;
  return nullptr;
}

} // namespace zeroth::compiler
