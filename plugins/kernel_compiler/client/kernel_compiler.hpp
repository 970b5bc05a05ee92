// The kernel compiler as a device plugin or a tool sees it: SPIR-V in, callable kernels out. No LLVM behind this
// header: the work is done by the program zeroth-kernelc, which is started on first need, shared by all threads,
// restarted after a crash and gone when this process is, once it has finished what the cache is to have.
//
//   compiler::Compiler& c = compiler::Compiler::shared();
//   std::shared_ptr<const compiler::CompiledModule> m = c.compile(request);   // or throws CompileError with the log
//   m->kernel("saxpy")->entry(&launch, &worker, 0, groups);
//
// Threads: every function may be called from any thread at any time; calls compile in parallel. After fork() the child
// starts its own worker program on its next compile; modules loaded before the fork stay callable in both.
// Ownership: a CompiledModule owns the code; entries and addresses are valid as long as it lives.
#pragma once

#include "../kernel_abi.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zeroth::compiler {

using Bytes = std::span<const std::byte>;

// Value of one specialisation constant; `value` is exactly as many bytes as the constant's type has (bool: 1).
struct SpecConstant {
  uint32_t id = 0;
  std::vector<std::byte> value;
};

struct SpecConstantInfo {
  uint32_t id = 0;
  uint32_t size = 0; // bytes of a value as zeModuleCreate receives it
};

// The specialisation constants that a SPIR-V module declares, in order of appearance. Never throws on malformed input:
// what cannot be read is left out (compile() then says what is wrong).
std::vector<SpecConstantInfo> spec_constants(Bytes spirv);

// The line of the build log behind which the text stands that the build flag -zeroth-emit=llvm|asm asks for.
inline constexpr std::string_view listing_mark = "---- listing ----";

// One SPIR-V module of a program. Bytes are borrowed for the duration of compile().
struct ModuleInput {
  Bytes spirv;
  std::string options; // build flags as in ze_module_desc_t::pBuildFlags
  std::vector<SpecConstant> constants;
};

// What code may use: an LLVM CPU name and a feature string like "+avx2,-avx512f". Both empty: this machine.
struct CpuTarget {
  std::string name;
  std::string features;
};

// One or more modules that are linked together and become one CompiledModule.
struct CompileRequest {
  std::vector<ModuleInput> inputs;
  CpuTarget cpu;
  uint32_t vector_width = 0; // work-items per slice; 0: chosen per kernel, 1: the plain form (tests compare both)
  std::string engine;        // "": chosen per kernel; else "loop", "region" or "fiber" for every kernel that allows it
  bool quick = false;        // code soon rather than fast code: what open() runs until the fast one is there
};

enum class ArgumentKind : uint8_t { Value, Pointer, LocalPointer, Image, Sampler };
enum class AddressSpace : uint8_t { Private = 0, Global = 1, Constant = 2, Local = 3, Generic = 4 };
enum class Access : uint8_t { None, ReadOnly, WriteOnly, ReadWrite };

struct ArgumentInfo {
  ArgumentKind kind = ArgumentKind::Value;
  AddressSpace address_space = AddressSpace::Private; // of pointers
  Access access = Access::None;                       // of images
  uint32_t size = 0;      // bytes that zeKernelSetArgumentValue takes; for LocalPointer 8 in the block, any size set
  uint32_t alignment = 1; // within the argument block
  uint32_t offset = 0;    // within the argument block
  std::string name;       // "" when the module does not say
  std::string type_name;
  std::string type_qualifiers;
};

// How barriers are served: Loop has none; Region runs loops over slices between barriers; Fiber suspends slices.
enum class Engine : uint8_t { Loop, Region, Fiber };

struct KernelInfo {
  std::string name;
  std::vector<ArgumentInfo> arguments;
  uint32_t argument_block_size = 0;
  std::array<uint32_t, 3> required_group_size{}; // zeros: none
  std::array<uint32_t, 3> group_size_hint{};     // zeros: none
  uint32_t required_sub_group_size = 0;          // 0: none
  uint32_t sub_group_size = 1;                   // what get_max_sub_group_size() returns
  uint32_t width = 1;                            // work-items per slice (W)
  Engine engine = Engine::Loop;
  bool uses_barriers = false;
  bool uses_printf = false;
  bool uses_double = false;
  uint64_t local_bytes = 0;   // static work-group memory; local arguments come after it
  uint64_t private_bytes = 0; // per work-item
  uint64_t spill_bytes = 0;   // per work-item
  uint64_t scratch_fixed_bytes = 0;
  uint64_t scratch_slice_bytes = 0;
  std::string attributes; // source attributes, blank-separated (zeKernelGetSourceAttributes)
  zeroth_kernel_fn entry = nullptr;

  // Bytes of zeroth_worker::scratch that a group of so many work-items needs.
  uint64_t scratch_bytes(uint64_t group_items) const {
    return scratch_fixed_bytes + scratch_slice_bytes * ((group_items + width - 1) / width);
  }
};

enum class SymbolKind : uint8_t { Variable, Function };

// The best code of one kernel that there is. It may be replaced by faster code of the same kernel at any time: what a
// launch has loaded stays valid as long as the module. Arguments and sub-group size never change; width, engine and
// scratch may, and local_bytes only shrinks.
class KernelSlot {
public:
  explicit KernelSlot(const KernelInfo* code = nullptr) : code_(code) {}
  const KernelInfo* load() const noexcept { return code_.load(std::memory_order_acquire); }
  void store(const KernelInfo* code) noexcept { code_.store(code, std::memory_order_release); }

private:
  std::atomic<const KernelInfo*> code_;
};

// A program-scope variable or function that the module exports, or an import that nothing has satisfied.
struct SymbolInfo {
  std::string name;
  SymbolKind kind = SymbolKind::Variable;
  uint64_t size = 0;       // of variables
  void* address = nullptr; // of exports
};

class CompiledModule {
public:
  virtual ~CompiledModule() = default;
  // All kernels. Those that prepare() has not been called for may be described without code: what is not in the
  // SPIR-V (entry, width, engine, sizes of memory, uses_…) is then at its default.
  virtual const std::vector<KernelInfo>& kernels() const = 0;
  // The code of a kernel, compiled now if it has not been. Throws CompileError. Not null afterwards unless imports are
  // open.
  virtual const KernelSlot& prepare(size_t kernel) const = 0;
  virtual const std::vector<SymbolInfo>& exports() const = 0;
  // Not empty: kernels are described but have no entry; compile this input again together with those that export these.
  virtual const std::vector<SymbolInfo>& imports() const = 0;
  virtual const std::vector<SpecConstantInfo>& constants() const = 0;
  virtual const std::string& build_log() const = 0;
  // The whole module as load_native() takes it back, on this or a like machine. Waits for, or compiles, what is not
  // there yet; may throw CompileError then.
  virtual Bytes native_binary() const = 0;
  // Where a function that the module exports begins, compiled now if it has not been; null: there is none of that name.
  // Called with the C convention of this machine, as kernels call through pointers. Throws CompileError.
  virtual void* function_address(std::string_view name) const;
  const KernelInfo* kernel(std::string_view name) const;
};

using ModulePtr = std::shared_ptr<const CompiledModule>;

class CompileError : public std::exception {
public:
  enum class Kind : uint8_t {
    BuildFailure,        // the input: ZE_RESULT_ERROR_MODULE_BUILD_FAILURE
    InvalidNativeBinary, // not ours, damaged, another ABI, or code for another CPU
    Unavailable,         // the worker program cannot be found or started: ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE
  };
  CompileError(Kind kind, std::string log) : kind_(kind), log_(std::move(log)) {}
  Kind kind() const { return kind_; }
  const std::string& log() const { return log_; } // never empty
  const char* what() const noexcept override { return log_.c_str(); }

private:
  Kind kind_;
  std::string log_;
};

// Everything may stay as it is.
struct CompilerOptions {
  std::string cpu;             // what code may use at most: "sse", "avx2", "avx512"; "": $ZEROTH_CPU, then all there is
  std::string worker_path;     // "": $ZEROTH_KERNELC, then relative to the shared object that holds this code
  std::string library_path;    // file of that shared object; "": what the dynamic loader says
  std::string cache_directory; // "": $ZEROTH_CACHE_DIR, then $XDG_CACHE_HOME/zeroth, then ~/.cache/zeroth
  bool use_cache = true;       // $ZEROTH_CACHE=0 switches it off too
  uint64_t cache_limit_bytes = 256u << 20;
  std::chrono::milliseconds time_limit{60'000};    // per compile
  uint64_t memory_limit_bytes = uint64_t{4} << 30; // address space per compile
  uint32_t processes = 0;                          // compiles at a time; 0: one per core, at most 16
  std::chrono::milliseconds patience{50}; // open() asks for quick code after waiting so long for the best; 0: never
  bool in_process = false;                // by a shared library in this process, where no process can be started
};

class Compiler {
public:
  explicit Compiler(CompilerOptions options = {});
  ~Compiler();
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;

  // One for the process, with default options. Starts nothing until the first compile.
  static Compiler& shared();

  // Builds the program; the same request again comes from the cache and starts no process.
  ModulePtr compile(const CompileRequest& request);

  // The same for programs that want to start soon. A module of many kernels is only inspected, and each kernel compiled
  // at the first prepare() (what is wrong with it shows then); where the best code takes long, quick code comes first.
  ModulePtr open(const CompileRequest& request);

  // Code from native_binary(), with link inputs (linkable_native.hpp) or without. `binary` is copied.
  ModulePtr load_native(Bytes binary);

  // Name and feature string of this machine as compile() uses them when nothing limits it.
  static const CpuTarget& host_cpu();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace zeroth::compiler
