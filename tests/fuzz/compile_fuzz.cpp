// libFuzzer target: any bytes through the reader, the built-ins and the code generator to an object file, as the worker
// does it, in one of several forms.
#include "mutate.hpp"

#include <kernel_compiler/builtins/link_builtins.hpp>
#include <kernel_compiler/codegen/codegen.hpp>
#include <kernel_compiler/spirv/reader.hpp>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace {

// The same bytes always take the same form.
zeroth::codegen::CompileOptions form_of(const std::vector<uint32_t>& words) {
  constexpr uint32_t widths[] = {0, 0, 1, 8, 16};
  uint32_t sum = 0;
  for (uint32_t word : words) sum = sum * 31 + word;
  zeroth::codegen::CompileOptions options;
  options.cpu.name = sum % 2 ? "x86-64-v3" : "x86-64-v4";
  options.width = widths[sum / 2 % std::size(widths)];
  options.engine = sum / 16 % 4 == 0 ? "fiber" : "";
  options.verify_each = true;
  return options;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<uint32_t> words = zeroth::fuzz::words_of(data, size);
  llvm::LLVMContext context;
  zeroth::spirv::ReadOptions read_options;
  read_options.exports = false;
  zeroth::spirv::ReadResult read = zeroth::spirv::read_spirv(words, read_options, context);
  if (!read.ok() || !read.info.imports.empty()) return 0;
  if (!zeroth::builtins::link_builtins(*read.module).empty()) return 0;
  try {
    zeroth::codegen::compile_to_object(*read.module, form_of(words));
  } catch (const zeroth::codegen::CodegenError& error) {
    // Refused with a reason; but LLVM IR that does not verify is a fault of ours.
    if (std::string_view(error.what()).starts_with("invalid IR")) throw;
  }
  return 0;
}
