#include "target_machine.hpp"

#include "../llvm_versions.hpp"

#include <mutex>

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace zeroth::codegen {

namespace {

constexpr const char* DefaultTriple = "x86_64-unknown-linux-gnu";

// Processors that reorder instructions themselves gain nothing from a second scheduling after register allocation,
// which was a tenth of a large compile. LLVM has no other way to say so for a processor whose model asks for it.
void leave_out_late_scheduling() {
  constexpr llvm::StringRef Name = "post-RA-scheduler";
  auto& options = llvm::cl::getRegisteredOptions();
  if (const auto found = options.find(Name); found != options.end()) found->second->addOccurrence(1, Name, "false");
}

void initialize_targets() {
  static std::once_flag once;
  std::call_once(once, [] {
    leave_out_late_scheduling();
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
}

void emit(llvm::Module& module, llvm::TargetMachine& machine, llvm::raw_pwrite_stream& out,
          llvm::CodeGenFileType type) {
  llvm::legacy::PassManager passes;
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

std::unique_ptr<llvm::TargetMachine> create_target_machine(const CpuTarget& cpu) {
  initialize_targets();
  llvm::Triple triple(cpu.triple.empty() ? DefaultTriple : cpu.triple);
  std::string error;
  const llvm::Target* target = llvm_version::find_target(triple, error);
  if (!target) throw CodegenError("no code generator for " + triple.str() + ": " + error);
  llvm::TargetOptions options;
  options.FunctionSections = true;
  std::unique_ptr<llvm::TargetMachine> machine =
      llvm_version::create_machine(*target, triple, cpu.name, cpu.features, options);
  if (!machine || !machine->getMCSubtargetInfo()->isCPUStringValid(cpu.name))
    throw CodegenError("unknown CPU '" + cpu.name + "' for " + triple.str());
  return machine;
}

llvm::TargetMachine& machine_for(const CpuTarget& cpu, bool quick) {
  thread_local std::map<std::string, std::unique_ptr<llvm::TargetMachine>> machines;
  const std::string key = cpu.triple + "|" + cpu.name + "|" + cpu.features + (quick ? "|quick" : "|");
  std::unique_ptr<llvm::TargetMachine>& machine = machines[key];
  if (machine) return *machine;
  try {
    machine = create_target_machine(cpu);
  } catch (...) {
    machines.erase(key);
    throw;
  }
  if (quick) machine->setOptLevel(llvm::CodeGenOptLevel::Less); // without any, multiply-adds would not be fused
  return *machine;
}

void set_target(llvm::Module& module, const llvm::TargetMachine& machine) {
  llvm_version::set_triple(module, machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  std::string width = std::to_string(vector_bits(machine));
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
    function.removeFnAttr("tune-cpu");
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr("prefer-vector-width", width);
    function.addFnAttr("min-legal-vector-width", width);
    function.addFnAttr("warn-stack-size", "0");
  }
}

unsigned vector_bits(const llvm::TargetMachine& machine) {
  if (!machine.getTargetTriple().isX86()) return 128;
  const llvm::MCSubtargetInfo& info = *machine.getMCSubtargetInfo();
  if (info.checkFeatures("+avx512f,+avx512vl,+avx512bw,+avx512dq")) return 512;
  return info.checkFeatures("+avx2") ? 256 : 128;
}

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
