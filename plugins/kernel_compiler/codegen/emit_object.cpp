#include "emit_object.hpp"

#include <memory>

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Pass.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace zeroth::codegen {

namespace {

// LLVM's way to machine code without what kernels gain nothing from. Options of LLVM's own would be for the whole
// process, and the linker sets them back.
class ChosenPasses final : public llvm::legacy::PassManagerBase {
public:
  void add(llvm::Pass* pass) override {
    if (is_wanted(pass->getPassName()))
      passes_.add(pass); // owns it
    else
      delete pass;
  }
  void run(llvm::Module& module) { passes_.run(module); }

private:
  static bool is_wanted(llvm::StringRef name) { return !llvm::is_contained(Unwanted, name); }

  static constexpr llvm::StringLiteral Unwanted[] = {
      // Processors that reorder instructions themselves gain nothing from a second scheduling after register
      // allocation.
      "Post RA top-down list latency scheduler",
      // These look for what kernels never have; each costs something for every function.
      "Lower AMX intrinsics", "Lower AMX type for load/store", "Tile Register Pre-configure", "Tile Register Configure",
      "X86 Lower Tile Copy", "Lower Garbage Collection Instructions", "Shadow Stack GC Lowering",
      "Analyze Machine Code For Garbage Collection", "Fixup Statepoint Caller Saved", "StackMap Liveness Analysis",
      "Replace intrinsics with calls to vector library", "Partially inline calls to library functions",
      "Expand indirectbr instructions", "Prepare callbr", "ObjC ARC contraction", "Safe Stack instrumentation pass",
      "Instrument function entry/exit with calls to e.g. mcount() (post inlining)", "Insert fentry calls",
      "Insert XRay ops", "Implement the 'patchable-function' attribute", "Insert KCFI indirect call checks",
      "Machine Sanitizer Binary Metadata", "Stack Frame Layout Analysis", "Pseudo Probe Inserter",
      "Register Allocation Pass Scoring", "Remove Loads Into Fake Uses", "Contiguously Lay Out Funclets",
      "Local Dynamic TLS Access Clean-up", "X86 PIC Global Base Reg Initialization",
      "X86 Suppress APX features for relocation", "X86 speculative load hardening",
      "X86 Load Value Injection (LVI) Load Hardening", "X86 Load Value Injection (LVI) Ret-Hardening",
      "X86 Speculative Execution Side Effect Suppression", "X86 Indirect Branch Tracking", "X86 Indirect Thunks",
      "X86 Return Thunks", "X86 Atom pad short functions", "X86 insert wait instruction"};

  llvm::legacy::PassManager passes_;
};

void emit(llvm::Module& module, llvm::TargetMachine& machine, llvm::raw_pwrite_stream& out,
          llvm::CodeGenFileType type) {
  ChosenPasses passes;
  if (machine.addPassesToEmitFile(passes, out, nullptr, type)) throw CodegenError("this target cannot emit objects");
  passes.run(module);
}

// LLVM reports frames above a threshold as warnings; ours is 0. Errors end the compile once it has come back.
class Diagnostics final : public llvm::DiagnosticHandler {
public:
  Diagnostics(FrameSizes& frames, std::string& errors, llvm::DiagnosticHandler* others)
      : frames_(frames), errors_(errors), others_(others) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (const auto* frame = llvm::dyn_cast<llvm::DiagnosticInfoStackSize>(&info)) {
      frames_[frame->getFunction().getName().str()] = frame->getStackSize();
    } else if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(errors_);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
      stream << "\n";
    } else if (others_) {
      others_->handleDiagnostics(info);
    }
    return true;
  }
  bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override {
    return others_ && others_->isAnalysisRemarkEnabled(pass);
  }
  bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override {
    return others_ && others_->isMissedOptRemarkEnabled(pass);
  }
  bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override {
    return others_ && others_->isPassedOptRemarkEnabled(pass);
  }
  bool isAnyRemarkEnabled() const override { return others_ && others_->isAnyRemarkEnabled(); }

private:
  FrameSizes& frames_;
  std::string& errors_;
  llvm::DiagnosticHandler* others_; // gets what this one has no use for; may be null
};

} // namespace

llvm::SmallVector<char, 0> emit_object(llvm::Module& module, llvm::TargetMachine& machine, FrameSizes& frames,
                                       std::string* assembly) {
  std::string errors;
  llvm::LLVMContext& context = module.getContext();
  std::unique_ptr<llvm::DiagnosticHandler> before = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<Diagnostics>(frames, errors, before.get()));
  if (assembly) {
    std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
    llvm::SmallVector<char, 0> text;
    llvm::raw_svector_ostream stream(text);
    emit(*copy, machine, stream, llvm::CodeGenFileType::AssemblyFile);
    assembly->assign(text.begin(), text.end());
  }
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  emit(module, machine, stream, llvm::CodeGenFileType::ObjectFile);
  context.setDiagnosticHandler(std::move(before));
  if (!errors.empty()) throw CodegenError("code generation: " + errors);
  return object;
}

} // namespace zeroth::codegen
