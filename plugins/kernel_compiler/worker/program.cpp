#include "program.hpp"

#include "../builtins/link_builtins.hpp"

#include <algorithm>
#include <cstring>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Linker/Linker.h>

namespace zeroth::compiler {
namespace {

std::vector<uint32_t> words_of(Bytes spirv) {
  if (spirv.size() % sizeof(uint32_t) != 0) throw BuildError("SPIR-V: the size is no multiple of 4 bytes");
  std::vector<uint32_t> words(spirv.size() / sizeof(uint32_t));
  if (!words.empty()) std::memcpy(words.data(), spirv.data(), spirv.size());
  return words;
}

spirv::ReadOptions read_options(const ModuleInput& input, const BuildFlags& flags,
                                const std::vector<std::string>& kernels) {
  spirv::ReadOptions options;
  options.kernels = kernels;
  options.debug_info = flags.debug || flags.verbose; // -v names lines
  for (const SpecConstant& constant : input.constants) {
    uint64_t bits = 0;
    std::memcpy(&bits, constant.value.data(), std::min(constant.value.size(), sizeof bits));
    options.spec_constants.push_back({constant.id, bits});
  }
  return options;
}

void add_input(Program& program, spirv::ReadResult input) {
  for (auto& kernel : input.info.kernels) program.kernels.push_back(std::move(kernel));
  for (auto& symbol : input.info.exports) program.exports.push_back(std::move(symbol));
  for (auto& symbol : input.info.imports) program.imports.push_back(std::move(symbol));
  for (const auto& constant : input.info.spec_constants) program.constants.push_back({constant.id, constant.size});
  if (!program.module) {
    program.module = std::move(input.module);
  } else if (llvm::Linker::linkModules(*program.module, std::move(input.module))) {
    throw BuildError("the modules cannot be linked: two define the same symbol, or its types differ");
  }
}

bool is_offered(const Program& program, const llvm::Function& function) {
  return std::ranges::any_of(program.exports, [&](const spirv::Symbol& symbol) {
    return symbol.is_offered && function.getName() == llvm::StringRef(symbol.name);
  });
}

// Compiling functions that nobody asks for by name is a waste.
void hide_functions(Program& program, Offer offer) {
  for (llvm::Function& function : *program.module)
    if (!function.isDeclaration() && function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL)
      if (offer == Offer::Kernels || !is_offered(program, function))
        function.setLinkage(llvm::GlobalValue::InternalLinkage);
}

} // namespace

Program read_program(const CompileRequest& request, const BuildFlags& flags, const std::vector<std::string>& kernels,
                     llvm::LLVMContext& context, BuildLog& log) {
  Program program;
  for (const ModuleInput& input : request.inputs) {
    spirv::ReadResult result = spirv::read_spirv(words_of(input.spirv), read_options(input, flags, kernels), context);
    if (!result.log.empty()) log.line(result.log);
    if (!result.ok()) throw BuildError("reading SPIR-V failed");
    add_input(program, std::move(result));
  }
  if (!program.module) throw BuildError("the program has no modules");
  std::erase_if(program.imports, [&](const spirv::Symbol& wanted) {
    return std::ranges::any_of(program.exports, [&](const auto& offered) { return offered.name == wanted.name; });
  });
  return program;
}

void complete_program(Program& program, Offer offer) {
  if (offer != Offer::Everything) hide_functions(program, offer);
  if (const std::string missing = builtins::link_builtins(*program.module); !missing.empty())
    throw BuildError("built-in functions that do not exist: " + missing);
}

} // namespace zeroth::compiler
