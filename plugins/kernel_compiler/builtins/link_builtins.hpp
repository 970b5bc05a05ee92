// Brings the built-in functions that a module calls into it.
#pragma once

#include <span>
#include <string>

namespace llvm {
class Module;
}

namespace zeroth::builtins {

// Every declared `zeroth.math.<name>.<type>` gets the body `zeroth_math_<name>_<type>` of the library, with all that it
// needs itself: internal, to be inlined, without a CPU of its own. Names that the library lacks stay declarations and
// are returned, comma-separated ("" if none). The library is read lazily: only what is used costs time.
std::string link_builtins(llvm::Module& module);

// An archive of objects for baseline x86-64: what code generation may call on its own (fused operations, half
// conversions and wide division where the CPU lacks them) and zeroth_print_format. Input of the final link.
std::span<const char> runtime_archive();

} // namespace zeroth::builtins
