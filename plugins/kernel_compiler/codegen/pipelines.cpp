#include "pipelines.hpp"

#include "irreducible.hpp"
#include "unroll_small_loops.hpp"
#include "ways_out.hpp"

#include <memory>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/AggressiveInstCombine/AggressiveInstCombine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/FunctionAttrs.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/CorrelatedValuePropagation.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/MemCpyOptimizer.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

namespace zeroth::codegen {

namespace {

llvm::PassInstrumentationCallbacks* observer = nullptr;

// The analysis managers of a thread. What they cost to set up is paid once; results are dropped after each run, since
// functions change in between.
class Runner {
public:
  explicit Runner(llvm::TargetMachine& machine) : machine_(machine), builder_(&machine, {}, {}, observer) {
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(components_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
  }
  void run(llvm::ModulePassManager passes, llvm::Module& module) {
    passes.run(module, modules_);
    clear();
  }
  void run(llvm::FunctionPassManager passes, llvm::Function& function) {
    passes.run(function, functions_);
    clear();
  }
  bool is_for(const llvm::TargetMachine& machine) const { return &machine_ == &machine; }

private:
  void clear() {
    loops_.clear();
    functions_.clear();
    components_.clear();
    modules_.clear();
  }

  llvm::TargetMachine& machine_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassBuilder builder_;
};

Runner& runner_for(llvm::TargetMachine& machine) {
  thread_local std::unique_ptr<Runner> runner; // machines live as long as their thread (machine_for)
  if (!runner || !runner->is_for(machine)) runner = std::make_unique<Runner>(machine);
  return *runner;
}

// InstCombine comes once loops have been rotated and what does not change in them moved out, and once values have been
// numbered; before that it costs a twentieth of a compile and changes next to nothing of the code.
llvm::FunctionPassManager simplify_kernels() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InferAddressSpacesPass(4));
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass(true));
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  llvm::LoopPassManager simplify;
  simplify.addPass(llvm::IndVarSimplifyPass(false)); // wider induction variables make wider vectors
  simplify.addPass(llvm::LoopDeletionPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(simplify), false));
  passes.addPass(llvm::CorrelatedValuePropagationPass());
  passes.addPass(MarkSmallLoops());
  passes.addPass(
      llvm::LoopUnrollPass(llvm::LoopUnrollOptions(2).setPartial(false).setRuntime(false).setUpperBound(false)));
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::GVNPass());
  passes.addPass(llvm::MemCpyOptPass());
  passes.addPass(llvm::DSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::ADCEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  return passes;
}

// What makes code small enough that less of it reaches the code generator.
llvm::FunctionPassManager tidy() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InferAddressSpacesPass(4));
  passes.addPass(llvm::ADCEPass());
  return passes;
}

llvm::FunctionPassManager optimise_forms() {
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  functions.addPass(llvm::EarlyCSEPass(true));
  functions.addPass(llvm::SimplifyCFGPass());
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass(true));
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  functions.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), true));
  functions.addPass(llvm::GVNPass());
  functions.addPass(llvm::InstCombinePass()); // the kernel's own loops were simplified, and its
                                              // dead stores removed, before it was widened
  functions.addPass(llvm::ADCEPass());
  functions.addPass(llvm::SimplifyCFGPass());
  return functions;
}

} // namespace

void observe_passes(llvm::PassInstrumentationCallbacks& wanted) { observer = &wanted; }

void run_inline_pipeline(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(false));
  passes.addPass(llvm::GlobalDCEPass());
  runner_for(machine).run(std::move(passes), module);
}

void run_prepare_pipeline(llvm::Module& module, llvm::TargetMachine& machine, bool quick) {
  llvm::ModulePassManager passes;
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(quick ? tidy() : simplify_kernels()));
  passes.addPass(llvm::createModuleToPostOrderCGSCCPassAdaptor(llvm::PostOrderFunctionAttrsPass()));
  runner_for(machine).run(std::move(passes), module);
}

void run_canonical_pipeline(llvm::Function& body, llvm::TargetMachine& machine) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::ScalarizerPass()); // of (x, y) one component may be the same for all work-items
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::LowerSwitchPass());
  passes.addPass(llvm::UnifyFunctionExitNodesPass());
  passes.addPass(MakeLoopsOfCycles());
  passes.addPass(AddWaysOut());
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  passes.addPass(llvm::DCEPass());
  runner_for(machine).run(std::move(passes), body);
}

void run_plain_loop_pipeline(llvm::Function& slice, llvm::TargetMachine& machine) {
  llvm::DominatorTree dominators(slice);
  for (llvm::LoopInfo loops(dominators); llvm::Loop * loop : loops.getLoopsInPreorder())
    if (llvm::any_of(loop->getHeader()->phis(),
                     [](const llvm::PHINode& p) { return p.getType()->isFloatingPointTy(); }))
      loop->setLoopAlreadyUnrolled(); // each round waits for the one before
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  passes.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(2).setPartial(true).setRuntime(true)));
  runner_for(machine).run(std::move(passes), slice);
}

void run_final_pipeline(llvm::Module& module, llvm::TargetMachine& machine, bool quick) {
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(false));
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(quick ? tidy() : optimise_forms()));
  runner_for(machine).run(std::move(passes), module);
}

} // namespace zeroth::codegen
