// Simplification writes "the low bits of x, extended" as shifts and masks. Widening wants to see the truncation and the
// extension: whether lanes stay neighbours hangs on them.
#pragma once

namespace llvm {
class Function;
}

namespace zeroth::codegen {

// (x << a) >> b → extend(truncate(x)) << (a - b);  x & (2^n - 1) → extend(truncate(x)), for n of 8, 16, 32.
void expose_extensions(llvm::Function& function);

} // namespace zeroth::codegen
