// One reading of one module: the tables that turn SPIR-V types, constants, variables and functions into LLVM's, on
// demand and once each. Emitters (emitter.hpp) use it for everything that is not local to a function.
#pragma once

#include "reader.hpp"
#include "storage.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <deque>

namespace zeroth::spirv {

class DebugInfo;

class ModuleReader {
public:
  ModuleReader(const ModuleIndex& index, Layout& layout, const ReadOptions& options, llvm::LLVMContext& context);
  ~ModuleReader();

  std::unique_ptr<llvm::Module> run(const Inspection& info);

  // --- types (types.cpp)
  llvm::Type* type(uint32_t id, uint32_t depth = 0); // void and functions included
  llvm::Type* value_type(uint32_t id);               // of something that a value can have
  llvm::FunctionType* function_type(const Instruction& function);
  const Instruction& type_of(uint32_t value_id) const; // type instruction of the value with this id
  // Total of scalars in an aggregate type, saturating.
  static uint64_t scalar_count(llvm::Type* type);

  // --- constants (constants.cpp); null when the id is no constant
  llvm::Constant* constant(uint32_t id, uint32_t depth = 0);
  bool is_constant_sampler(uint32_t id) const;

  // --- variables (globals.cpp)
  llvm::Constant* global(const Instruction& variable);

  // --- functions (functions.cpp)
  llvm::Function* function(uint32_t id); // declared on demand; its body is read later
  // A function of the kernel dialect.
  llvm::FunctionCallee dialect_function(llvm::StringRef name, llvm::Type* result,
                                        llvm::ArrayRef<llvm::Type*> parameters, bool convergent, bool pure,
                                        bool variadic = false);

  bool contraction_allowed(uint32_t function) const;
  // The fast-math flags that FPFastMathDefault gives to results of that type in the function; nothing: none is said. A
  // function that is no entry point gets what all entry points agree on.
  std::optional<uint32_t> float_defaults(uint32_t function, uint32_t type);

  const ModuleIndex& index;
  Layout& layout;
  const ReadOptions& options;
  llvm::LLVMContext& context;
  llvm::Module& module() { return *module_; }
  DebugInfo* debug() { return debug_.get(); }
  std::unordered_map<uint32_t, llvm::MDNode*> alias_nodes; // alias domains and scopes by id

private:
  llvm::Type* make_type(const Instruction& type, uint32_t depth);
  llvm::Type* make_struct(const Instruction& type, uint32_t depth);
  llvm::Type* make_vector(const Instruction& type, uint32_t depth);
  llvm::Constant* make_constant(const Instruction& inst, uint32_t depth);
  llvm::Constant* scalar_constant(const Instruction& inst);
  llvm::Constant* sampler_constant(const Instruction& inst);
  llvm::Constant* composite_constant(const Instruction& inst, uint32_t depth);
  llvm::Constant* constant_operation(const Instruction& inst);
  llvm::Constant* checked_member(const Instruction& inst, uint32_t id, llvm::Type* expected, uint32_t depth);
  void set_initializer(const Instruction& variable, llvm::GlobalVariable& global);
  llvm::Function* declare(const FunctionRange& range);
  llvm::Function* declare_import(const FunctionRange& range, std::string_view name, llvm::FunctionType* type);
  void decorate_parameters(const FunctionRange& range, llvm::Function& function, bool kernel);
  void read_pending();
  void read_kernels(const Inspection& info);
  void read_exports();
  void make_kernel(const EntryPoint& entry, const Kernel& kernel);
  bool is_called(uint32_t function) const;
  void check_recursion();
  void keep_variables();

  std::unique_ptr<llvm::Module> module_;
  std::unique_ptr<DebugInfo> debug_;
  std::vector<llvm::Type*> types_;
  std::vector<llvm::Constant*> constants_;
  std::vector<uint8_t> in_progress_;
  std::unordered_map<uint32_t, llvm::Function*> functions_;
  std::unordered_map<uint32_t, bool> called_;
  std::deque<const FunctionRange*> pending_;
};

// Metadata that kernels carry (kernel_metadata.cpp).
void attach_kernel_metadata(llvm::Function& function, const Kernel& kernel);

} // namespace zeroth::spirv
