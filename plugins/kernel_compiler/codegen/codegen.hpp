// From a verified module in the kernel dialect (../dialect.hpp) to the object code of a CPU shared object.
//
//   CompiledObject out = compile_to_object(module, options);
//
// The module is consumed: it is rewritten in place and afterwards good for nothing but destruction. Each spir_kernel
// becomes one exported function of type zeroth_kernel_fn named KernelCode::symbol. Built-in functions must have been
// linked in before (as internal functions), so that they inline and widen.
//
// Threading: calls are independent as long as each has its own LLVMContext. Throws CodegenError; never leaves the
// process in another state.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include <llvm/ADT/SmallVector.h>

namespace llvm {
class Module;
}

namespace zeroth::codegen {

struct CpuTarget {
  std::string triple;             // empty: x86_64-unknown-linux-gnu
  std::string name = "x86-64-v2"; // LLVM's CPU name
  std::string features;           // "+avx2,-avx512f"
};

// How the work-items of a group meet at barriers. Loop: there are none. Region: loops over slices between barriers.
// Fiber: each slice is a fiber of the device.
enum class Engine : uint8_t { Loop, Region, Fiber };
const char* engine_name(Engine engine);

struct CompileOptions {
  CpuTarget cpu;
  uint32_t width = 0;              // work-items per slice; 0: chosen per kernel; 1: the plain form
  std::string engine;              // "": chosen per kernel; "loop", "region", "fiber" for every kernel that allows it
  bool verify_each = false;        // LLVM verifier after every pass of ours
  bool quick = false;              // code soon: the plain form (sub-groups: one masked form), hardly optimised
  bool explain = false;            // fill KernelReport::remarks, and say them in the log
  std::string* assembly = nullptr; // when set, receives the assembly text as well
  // Tests only: changes the forms before their last optimisation, to see whether wrong code is noticed.
  std::function<void(llvm::Module&)> tamper;
  std::string* ir = nullptr; // when set, receives LLVM IR: each kernel before widening, the module at the end
};

struct Remark {
  uint32_t line = 0; // of the source; 0: of the whole kernel, or the module does not say
  std::string text;
};

// Why a kernel became what it is, in words that its author can act on.
struct KernelReport {
  bool explain = false;         // remarks are wanted
  std::vector<Remark> remarks;  // see remarks.hpp
  uint32_t masked_blocks = 0;   // basic blocks that run under a mask
  uint32_t guarded_blocks = 0;  // … of them skipped when no work-item is active
  uint32_t divergent_loops = 0; // loops that go on until the last work-item has left
  uint32_t contiguous = 0;      // memory accesses, by form
  uint32_t uniform = 0;
  uint32_t gathers = 0;
  uint32_t scalarised = 0;        // calls and atomics done one work-item at a time
  std::vector<std::string> notes; // reasons for falling back
};

struct KernelCode {
  std::string name;
  std::string symbol; // of the zeroth_kernel_fn
  uint32_t width = 1; // W: work-items per slice of the widest form
  uint32_t sub_group_size = 1;
  Engine engine = Engine::Loop;
  bool uses_barriers = false;
  uint64_t local_bytes = 0;   // static work-group memory
  uint64_t private_bytes = 0; // per work-item
  uint64_t spill_bytes = 0;   // per work-item: of the stack frame, beside private memory that lies there
  uint64_t scratch_fixed = 0; // zeroth_worker::scratch: scratch_fixed + scratch_slice * ceil(work-items / width)
  uint64_t scratch_slice = 0;
  KernelReport report;
};

// What `CompileOptions::ir` starts the module at the end with.
inline constexpr const char* ModuleHeading = "; ---- module\n";

struct CompiledObject {
  llvm::SmallVector<char, 0> object; // ELF relocatable
  std::vector<KernelCode> kernels;
  std::string log;
  std::string listing; // for whoever asked for `assembly` or `ir` and keeps the text with the object
};

class CodegenError : public std::exception {
public:
  explicit CodegenError(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

private:
  std::string text_;
};

CompiledObject compile_to_object(llvm::Module& module, const CompileOptions& options);

// The first steps of compile_to_object, which are the same for every width and engine. Who wants a module in several
// forms clones it after them; compile_to_object then goes on from there.
void prepare_for_forms(llvm::Module& module, const CompileOptions& options);

} // namespace zeroth::codegen
