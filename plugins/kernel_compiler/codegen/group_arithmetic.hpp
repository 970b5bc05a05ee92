// The operations that group reductions and scans are made of.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace zeroth::codegen {

// A dialect group operation taken apart: "zeroth.sub_group.scan_exclusive_add.f32" → {scan_exclusive, add}.
struct GroupOperation {
  llvm::StringRef kind;      // reduce, scan_inclusive, scan_exclusive, clustered_reduce, all, any, broadcast, …
  llvm::StringRef operator_; // add mul and or xor min max smin smax umin umax; empty otherwise
};
GroupOperation parse_group_operation(llvm::StringRef dialect_name, llvm::StringRef prefix);

// The neutral element, and the combination, of an operator on values of a type (scalars or vectors).
llvm::Constant* neutral_element(llvm::StringRef op, llvm::Type* type);
llvm::Value* combine(llvm::IRBuilderBase& builder, llvm::StringRef op, llvm::Value* a, llvm::Value* b);

} // namespace zeroth::codegen
