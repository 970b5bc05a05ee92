// Recognising calls of the kernel dialect.
#pragma once

#include "../dialect.hpp"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace zeroth::codegen {

// The name of the dialect function that `value` calls; empty when it is not such a call.
std::string_view dialect_name(const llvm::Value* value);

inline bool is_dialect_call(const llvm::Value* value, std::string_view name) { return dialect_name(value) == name; }

// Does the function (alone, not its callees) contain a call whose name starts with `prefix`?
bool calls_dialect(const llvm::Function& function, std::string_view prefix);

// A declared, callable dialect function. Queries (synchronises = false) are pure; the others are convergent.
llvm::FunctionCallee declare_query(llvm::Module& module, std::string_view name, llvm::FunctionType* type);

// Throws CodegenError naming the first dialect call that code generation does not know.
void check_dialect(const llvm::Module& module);

} // namespace zeroth::codegen
