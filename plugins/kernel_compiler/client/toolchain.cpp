#include "toolchain.hpp"

#include "build_id.hpp"
#include "host_cpu.hpp"
#include "in_process.hpp"
#include "loaded_module.hpp"
#include "native_format.hpp"
#include "protocol.hpp"
#include "tiered_module.hpp"
#include "worker_link.hpp"

#include <algorithm>
#include <cstdlib>
#include <poll.h>
#include <thread>

namespace zeroth::compiler {
namespace {

constexpr uint32_t most_processes = 16;

uint32_t choose_processes(uint32_t wanted) {
  return wanted ? wanted : std::clamp(std::thread::hardware_concurrency(), 1u, most_processes);
}

std::string choose_cache_folder(const CompilerOptions& options) {
  if (!options.use_cache || Cache::switched_off()) return "";
  return options.cache_directory.empty() ? Cache::default_folder() : options.cache_directory;
}

CpuTarget choose_cpu(const CompilerOptions& options) {
  const char* variable = secure_getenv("ZEROTH_CPU");
  const std::string level = !options.cpu.empty() ? options.cpu : variable ? variable : "";
  if (auto cpu = detect_host_cpu(level)) return *cpu;
  if (options.cpu.empty()) return *detect_host_cpu(); // a word that the variable does not take has no effect
  throw CompileError(CompileError::Kind::Unavailable, "no CPU level '" + level + "': sse, avx2 or avx512");
}

std::string compiler_path(const CompilerOptions& options) {
  if (options.in_process) return find_compiler_library(options.library_path);
  return options.worker_path.empty() ? find_worker_program(options.library_path) : options.worker_path;
}

std::unique_ptr<Backend> make_backend(const CompilerOptions& options, const std::string& path,
                                      const std::string& compiler_id) {
  if (options.in_process) return make_in_process_backend(path, compiler_id);
  return std::make_unique<WorkerLink>(path, choose_processes(options.processes));
}

void wait_for_one(const Build& first, const Build& second) {
  pollfd entries[] = {{first.readable(), POLLIN, 0}, {second.readable(), POLLIN, 0}};
  poll(entries, 2, 1000);
}

bool has_ended(Build& build) { return build.wait(Deadline{}); }

} // namespace

Toolchain::Toolchain(const CompilerOptions& options)
    : options_(options), cpu_(choose_cpu(options)), cache_(choose_cache_folder(options), options.cache_limit_bytes) {
  const std::string path = compiler_path(options);
  compiler_id_ = build_id_of(path);
  backend_ = make_backend(options, path, compiler_id_);
}

ModulePtr Toolchain::from_cache(const Digest& key) const {
  auto file = cache_.find(key);
  if (!file) return nullptr;
  try {
    if (read_native(*file).request_key == to_hex(key)) return load_module(std::move(*file));
  } catch (const CompileError&) {
    // Damaged: build it again.
  }
  cache_.drop(key);
  return nullptr;
}

RequestTerms Toolchain::terms(const CompileRequest& request, const Digest& key) const {
  RequestTerms terms{to_hex(key), options_.memory_limit_bytes, static_cast<uint32_t>(options_.time_limit.count()), "",
                     0};
  if (!request.quick) {
    terms.cache_folder = choose_cache_folder(options_);
    terms.cache_limit = options_.cache_limit_bytes;
  }
  return terms;
}

Build Toolchain::start(const CompileRequest& request) const {
  const auto body = encode_for_key(request);
  Hasher hasher;
  hasher.update(std::as_bytes(std::span(compiler_id_)));
  hasher.update(body);
  const Digest key = hasher.finish();
  Build build;
  build.toolchain_ = shared_from_this();
  if (!request.quick) build.cache_key_ = key;
  build.module_ = request.quick ? nullptr : from_cache(key);
  if (!build.module_) build.pending_ = backend_->start(encode_request(body, terms(request, key)), options_.time_limit);
  return build;
}

ModulePtr Toolchain::compile_soon(const CompileRequest& request) const {
  Build best = start(request);
  const bool may_race = options_.patience.count() > 0 && processes() > 1 && may_be_replaced(request);
  if (!may_race || best.wait(std::chrono::steady_clock::now() + options_.patience)) return best.finish();
  CompileRequest soon = request;
  soon.quick = true;
  Build quick = start(soon);
  while (!has_ended(quick) && !has_ended(best)) wait_for_one(quick, best);
  if (has_ended(best)) return best.finish();
  ModulePtr first;
  try {
    first = quick.finish();
  } catch (const CompileError&) {
    return best.finish();
  }
  return make_tiered_module(std::move(first), std::move(best));
}

bool Build::wait(Deadline deadline) { return !pending_ || pending_->wait(deadline); }

// What has ended is ours to keep; what has not, the worker will.
Build::~Build() {
  if (!pending_ || module_ || !cache_key_ || !toolchain_->works_alone()) return;
  try {
    if (!pending_->wait(Deadline{})) return;
    const CompileReply reply = pending_->take();
    if (!reply.failed && !reply.file.empty()) toolchain_->cache_.store(*cache_key_, reply.file);
  } catch (const std::exception&) {
    // It will be compiled again.
  }
}

void Build::cancel() noexcept {
  if (pending_) pending_->cancel();
}

ModulePtr Build::finish() {
  if (module_) return module_;
  while (!pending_->wait(std::chrono::steady_clock::now() + std::chrono::hours(1))) {
  }
  CompileReply reply = pending_->take();
  if (reply.failed)
    throw CompileError(CompileError::Kind::BuildFailure, reply.log.empty() ? "build failed" : std::move(reply.log));
  if (cache_key_) toolchain_->cache_.store(*cache_key_, reply.file);
  module_ = load_module(std::move(reply.file), std::move(reply.descriptor));
  return module_;
}

} // namespace zeroth::compiler
