// What compiles need: a backend, the cache, the identity of the compiler. Shared by a Compiler and the modules that
// still have something to compile; made at the first compile, since most processes that load a device build nothing.
#pragma once

#include "../cache/cache.hpp"
#include "backend.hpp"
#include "protocol.hpp"

namespace zeroth::compiler {

class Toolchain;

// One module being built: in the cache, or on its way. One thread at a time, but for cancel(); may outlive the request.
// One that goes before its end leaves the result to the cache.
class Build {
public:
  Build() = default;
  Build(Build&&) = default;
  Build& operator=(Build&&) = default;
  ~Build();
  bool wait(Deadline deadline);
  // Waits for the end. Throws CompileError.
  ModulePtr finish();
  void cancel() noexcept;
  int readable() const { return pending_ ? pending_->readable() : -1; }

private:
  friend class Toolchain;
  std::shared_ptr<const Toolchain> toolchain_;
  std::optional<Digest> cache_key_;
  ModulePtr module_;
  std::unique_ptr<PendingCompile> pending_;
};

class Toolchain : public std::enable_shared_from_this<Toolchain> {
public:
  // Throws CompileError (Unavailable) for a CPU level that does not exist.
  explicit Toolchain(const CompilerOptions& options);

  // `request` names its CPU. Throws CompileError (Unavailable).
  Build start(const CompileRequest& request) const;
  // The whole way at once.
  ModulePtr compile(const CompileRequest& request) const { return start(request).finish(); }
  // The same, but where that takes longer than the options' patience, with quick code first that the best replaces.
  ModulePtr compile_soon(const CompileRequest& request) const;

  uint32_t processes() const { return backend_->processes(); }
  bool works_alone() const { return processes() > 0; } // nobody needs to wait for a compile to go on
  const CpuTarget& cpu() const { return cpu_; }        // of requests that name none

private:
  friend class Build;
  ModulePtr from_cache(const Digest& key) const;
  RequestTerms terms(const CompileRequest& request, const Digest& key) const;

  const CompilerOptions options_;
  const CpuTarget cpu_;
  std::string compiler_id_;
  std::unique_ptr<Backend> backend_;
  const Cache cache_;
};

} // namespace zeroth::compiler
