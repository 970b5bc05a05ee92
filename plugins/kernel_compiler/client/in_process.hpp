// The compiler as a shared library in this process (zeroth_kernelc.so), for places where no process can be started. It
// brings its own LLVM, hidden from the program's. What a worker process would confine is lost: a crash of the compiler
// is one of the program, and limits of time and memory are not kept.
#pragma once

#include "backend.hpp"

namespace zeroth::compiler {

// The library's one function: compiles an encoded request on the calling thread; `write_log` gets the log piece by
// piece, `finish` the native binary if there is one. Returns 0 if so. Threads: any, side by side.
struct InProcessCall {
  const std::byte* request;
  size_t request_size;
  const char* compiler_id;
  void* context;
  void (*write_log)(void* context, const char* text, size_t size);
  void (*finish)(void* context, const std::byte* file, size_t size);
};
using InProcessCompile = int (*)(const InProcessCall* call);
inline constexpr const char* in_process_symbol = "zeroth_compile_in_process";

// $ZEROTH_KERNELC_LIBRARY, else zeroth_kernelc.so in the folder `compiler` beside the shared object that holds this
// code, or beside it. "" if there is none.
std::string find_compiler_library(const std::string& library_path);

// Compiles when someone waits. The library is opened by the first compile.
std::unique_ptr<Backend> make_in_process_backend(const std::string& library, const std::string& compiler_id);

} // namespace zeroth::compiler
