#include "../cache/cache.hpp"
#include "build_id.hpp"
#include "host_cpu.hpp"
#include "loaded_module.hpp"
#include "native_format.hpp"
#include "protocol.hpp"
#include "worker_link.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

namespace zeroth::compiler {
namespace {

constexpr uint32_t most_processes = 16;

uint32_t choose_processes(uint32_t wanted) {
  return wanted ? wanted : std::clamp(std::thread::hardware_concurrency(), 1u, most_processes);
}

CpuTarget choose_cpu(const CompilerOptions& options) {
  const char* variable = secure_getenv("ZEROTH_CPU");
  const std::string level = !options.cpu.empty() ? options.cpu : variable ? variable : "";
  if (auto cpu = detect_host_cpu(level)) return *cpu;
  throw CompileError(CompileError::Kind::Unavailable, "no CPU level '" + level + "': sse, avx2 or avx512");
}

std::string choose_cache_folder(const CompilerOptions& options) {
  if (!options.use_cache || Cache::switched_off()) return "";
  return options.cache_directory.empty() ? Cache::default_folder() : options.cache_directory;
}

// What a compile needs; looked up at the first one, since most processes that load a device build nothing.
class Toolchain {
public:
  explicit Toolchain(const CompilerOptions& o)
      : options(o), cpu(choose_cpu(o)),
        worker_path(options.worker_path.empty() ? find_worker_program(options.library_path) : options.worker_path),
        worker_id(build_id_of(worker_path)), link(worker_path, choose_processes(options.processes)),
        cache(choose_cache_folder(options), options.cache_limit_bytes) {}

  Digest key_of(Bytes body) const {
    Hasher hasher;
    hasher.update(std::as_bytes(std::span(worker_id)));
    hasher.update(body);
    return hasher.finish();
  }

  // Null when the cache has no undamaged entry for exactly this request.
  ModulePtr from_cache(const Digest& key) const {
    auto file = cache.find(key);
    if (!file) return nullptr;
    try {
      if (read_native(*file).request_key == to_hex(key)) return load_module(std::move(*file));
    } catch (const CompileError&) {
      // Damaged: build it again.
    }
    cache.drop(key);
    return nullptr;
  }

  ModulePtr build(Bytes body, const Digest& key) {
    const auto request = encode_request(body, to_hex(key), options.memory_limit_bytes,
                                        static_cast<uint32_t>(options.time_limit.count()));
    CompileReply reply = link.compile(request, options.time_limit);
    if (reply.failed)
      throw CompileError(CompileError::Kind::BuildFailure, reply.log.empty() ? "build failed" : std::move(reply.log));
    cache.store(key, reply.file);
    return load_module(std::move(reply.file), std::move(reply.descriptor));
  }

private:
  const CompilerOptions options;

public:
  const CpuTarget cpu; // of requests that name none

private:
  const std::string worker_path;
  const std::string worker_id;
  WorkerLink link;
  const Cache cache;
};

} // namespace

struct Compiler::State {
  Toolchain& toolchain() {
    std::call_once(once, [this] { built.emplace(options); });
    return *built;
  }

  const CompilerOptions options;
  std::once_flag once;
  std::optional<Toolchain> built;
};

Compiler::Compiler(CompilerOptions options) : state_(new State{std::move(options), {}, {}}) {}
Compiler::~Compiler() = default;

Compiler& Compiler::shared() {
  // Never destroyed: programs build modules from static destructors too.
  static Compiler& compiler = *new Compiler;
  return compiler;
}

ModulePtr Compiler::compile(const CompileRequest& request) {
  CompileRequest complete = request;
  try {
    Toolchain& toolchain = state_->toolchain();
    if (complete.cpu.name.empty() && complete.cpu.features.empty()) complete.cpu = toolchain.cpu;
    const auto body = encode_for_key(complete);
    const Digest key = toolchain.key_of(body);
    if (ModulePtr cached = toolchain.from_cache(key)) return cached;
    return toolchain.build(body, key);
  } catch (const std::system_error& error) {
    throw CompileError(CompileError::Kind::Unavailable, error.what());
  }
}

ModulePtr Compiler::load_native(Bytes binary) { return load_module({binary.begin(), binary.end()}); }

} // namespace zeroth::compiler
