// What a kernel uses, seen before code generation consumes its module.
#pragma once

#include <string>

namespace llvm {
class Module;
}

namespace zeroth::compiler {

struct KernelTraits {
  bool prints = false, doubles = false;
};

// Of the kernel and of everything it calls.
KernelTraits traits_of(const llvm::Module& module, const std::string& kernel);

} // namespace zeroth::compiler
