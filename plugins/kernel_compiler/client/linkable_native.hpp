// A native binary that can be linked again: linking builds all modules anew as one program, so it carries what its
// module was made of. The file of native_format.hpp, the inputs as WireWriter writes them, and a footer:
//
//   footer +0    8 bytes  magic "ZEROTHL\1"
//          +8    8        size of the native binary at the file's beginning
//          +16   32       BLAKE2b-256 of every byte before this field
#pragma once

#include "kernel_compiler.hpp"

namespace zeroth::compiler {

// What a module was made of, with bytes of its own.
struct LinkInput {
  std::vector<std::byte> spirv;
  std::string options;
  std::vector<SpecConstant> constants;
};

struct LinkableNative {
  Bytes native;                  // the part that load_native() reads
  std::vector<LinkInput> inputs; // empty: it takes no part in linking
};

std::vector<std::byte> with_link_inputs(Bytes native, std::span<const LinkInput> inputs);

// Any other file is a native binary without inputs; load_native() says what is wrong with it. Throws CompileError
// (InvalidNativeBinary) where the inputs are damaged.
LinkableNative split_link_inputs(Bytes file);

} // namespace zeroth::compiler
