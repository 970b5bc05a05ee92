// The file that a compile produces: it is what the client loads, what zeModuleGetNativeBinary hands out and what the
// disk cache stores. An ELF shared object with a section `.zeroth.metadata`, followed by a footer:
//
//   offset 0              the shared object
//   footer +0    8 bytes  magic "ZEROTHK\1"
//          +8    8        offset of the metadata section's bytes in the file
//          +16   8        their size
//          +24   8        size of the whole file, footer included
//          +32  32        BLAKE2b-256 of every byte before this field
//
// All numbers are little-endian. The metadata is written by WireWriter in the order of native_format.cpp.
#pragma once

#include "digest.hpp"
#include "kernel_compiler.hpp"

namespace zeroth::compiler {

inline constexpr const char* metadata_section = ".zeroth.metadata";
inline constexpr size_t footer_size = 64;

struct ModuleMetadata {
  struct Kernel {
    KernelInfo info; // entry is null here
    std::string symbol;
  };
  struct Symbol {
    SymbolInfo info; // address is null here
    std::string symbol;
  };
  uint32_t abi_version = ZEROTH_KERNEL_ABI_VERSION;
  std::string compiler_id; // build id of the worker that made it
  std::string request_key; // digest of the request that it answers, in hex
  CpuTarget cpu;           // what the code needs
  std::string build_log;
  std::vector<Kernel> kernels;
  std::vector<Symbol> exports, imports;
  std::vector<SpecConstantInfo> constants;
};

std::vector<std::byte> encode(const ModuleMetadata& metadata);

// The footer for a shared object whose metadata section lies at [offset, offset + size).
std::vector<std::byte> make_footer(Bytes shared_object, uint64_t metadata_offset, uint64_t metadata_size);

// Checks size, magic and digest, then reads the metadata. Throws CompileError (InvalidNativeBinary) saying what is
// wrong.
ModuleMetadata read_native(Bytes file);

// The same as a question, for Cache::verify().
bool is_undamaged(Bytes file);

} // namespace zeroth::compiler
