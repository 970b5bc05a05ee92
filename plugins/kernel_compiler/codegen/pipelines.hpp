// Every sequence of LLVM passes that code generation runs.
#pragma once

namespace llvm {
class Function;
class Module;
class PassInstrumentationCallbacks;
class TargetMachine;
} // namespace llvm

namespace zeroth::codegen {

// All calls of defined functions are inlined (recursion and calls through pointers stay).
void run_inline_pipeline(llvm::Module& module, llvm::TargetMachine& machine);

// `quick`: only what the next steps need.
//
// Memory becomes values, small loops with known trip counts are unrolled. After it kernels are what forms are made of.
void run_prepare_pipeline(llvm::Module& module, llvm::TargetMachine& machine, bool quick);

// A kernel body in the shape that the vectoriser takes: one return, no switch, reducible, loops with one latch and
// preheader, values of loops used outside through phis.
void run_canonical_pipeline(llvm::Function& body, llvm::TargetMachine& machine);

// Unrolls loops of unknown count, whose rounds do not wait for each other, in a slice of one work-item.
void run_plain_loop_pipeline(llvm::Function& slice, llvm::TargetMachine& machine);

// From forms to what the code generator gets.
void run_final_pipeline(llvm::Module& module, llvm::TargetMachine& machine, bool quick);

// For whoever measures: what is told of each pass, in threads that have compiled nothing yet. Lives as long as they do.
void observe_passes(llvm::PassInstrumentationCallbacks& observer);

} // namespace zeroth::codegen
