#include "reader.hpp"

#include "debug_info.hpp"
#include "module_reader.hpp"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace zeroth::spirv {
namespace {

// Keeps LLVM from printing, or from ending the process on an error, while a module is read.
class DiagnosticCapture {
public:
  DiagnosticCapture(llvm::LLVMContext& context, std::string& log)
      : context_(context), callback_(context.getDiagnosticHandlerCallBack()), user_(context.getDiagnosticContext()) {
    context_.setDiagnosticHandlerCallBack(collect, &log);
  }
  ~DiagnosticCapture() { context_.setDiagnosticHandlerCallBack(callback_, user_); }

private:
  static void collect(const llvm::DiagnosticInfo* info, void* log) {
    llvm::raw_string_ostream stream(*static_cast<std::string*>(log));
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info->print(printer);
    stream << "\n";
  }

  llvm::LLVMContext& context_;
  llvm::DiagnosticHandler::DiagnosticHandlerTy callback_;
  void* user_;
};

// True when LLVM accepts the module; broken debug information is dropped, with a note.
bool verify(llvm::Module& module, std::string& log) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  bool broken_debug = false;
  const bool broken = llvm::verifyModule(module, &stream, &broken_debug);
  if (broken) log += "error: the module is not valid: " + stream.str() + "\n";
  if (!broken && broken_debug) {
    log += "note: the debug information is not valid and was left out\n";
    llvm::StripDebugInfo(module);
  }
  return !broken;
}

} // namespace

ReadResult::ReadResult() = default;
ReadResult::ReadResult(ReadResult&&) noexcept = default;
ReadResult& ReadResult::operator=(ReadResult&&) noexcept = default;
ReadResult::~ReadResult() = default;

ReadResult read_spirv(std::span<const uint32_t> words, const ReadOptions& options, llvm::LLVMContext& context) {
  ReadResult result;
  const DiagnosticCapture capture(context, result.log);
  try {
    const Module module = decode(words);
    const ModuleIndex index = index_module(module);
    Layout layout(index, options.spec_constants);
    result.info = inspect(index, layout);
    ModuleReader reader(index, layout, options, context);
    std::unique_ptr<llvm::Module> built = reader.run(result.info);
    if (verify(*built, result.log)) result.module = std::move(built);
  } catch (const std::exception& error) {
    result.log += std::string("error: ") + error.what() + "\n";
  }
  return result;
}

} // namespace zeroth::spirv
