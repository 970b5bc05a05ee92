// Compiles SPIR-V kernels in this process, many to one shared object, by the same reader, built-ins and code generator
// that the worker program holds: no process, no cache, no protocol, so that a hundred thousand are affordable.
// One thread.
#pragma once

#include <kernel_compiler/client/kernel_compiler.hpp>
#include <kernel_compiler/codegen/codegen.hpp>

#include <functional>
#include <memory>
#include <span>
#include <stdexcept>

namespace llvm {
class Module;
}

namespace zeroth::random_programs {

struct Form {
  const char* name;
  uint32_t width;     // work-items a slice; 0: chosen
  const char* engine; // "": chosen
};

struct CompileFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Changes that tests make to see whether wrong code is noticed.
struct Tamper {
  std::function<void(llvm::Module&)> source; // what the reader made
  std::function<void(llvm::Module&)> code;   // the vectorised forms, before their last optimisation
};

// Collects kernels, then loads them all at once.
class InProcessCompiler {
public:
  explicit InProcessCompiler(bool verify = false);
  ~InProcessCompiler();

  // Compiles every kernel of the module. Returns the number by which loaded() knows its first kernel; the others
  // follow in the module's order. Throws CompileFailure. The same module in one form after the other is read once, so a
  // compiler tampers with all of them or with none.
  size_t add(std::span<const uint32_t> spirv, const Form& form, const Tamper& tamper = {});

  // Links and loads what was added. Kernels are callable as long as the result lives.
  class Loaded {
  public:
    ~Loaded();
    std::vector<compiler::KernelInfo> kernels; // as numbered by add()

  private:
    friend InProcessCompiler;
    void* library_ = nullptr;
  };
  std::unique_ptr<Loaded> load();

private:
  struct Pending {
    compiler::KernelInfo info;
    std::string symbol;
  };
  struct Source;
  const Source& source_of(std::span<const uint32_t> spirv, const Tamper& tamper);

  bool verify_;
  std::unique_ptr<Source> source_; // the last one
  std::vector<std::string> objects_;
  std::vector<Pending> kernels_;
};

} // namespace zeroth::random_programs
