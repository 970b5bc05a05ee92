#include "lazy_module.hpp"
#include "linkable_native.hpp"
#include "loaded_module.hpp"
#include "toolchain.hpp"

#include <mutex>
#include <system_error>

namespace zeroth::compiler {

struct Compiler::State {
  const std::shared_ptr<const Toolchain>& toolchain() {
    std::call_once(once, [this] { built = std::make_shared<const Toolchain>(options); });
    return built;
  }

  const CompilerOptions options;
  std::once_flag once;
  std::shared_ptr<const Toolchain> built;
};

Compiler::Compiler(CompilerOptions options) : state_(new State{std::move(options), {}, {}}) {}
Compiler::~Compiler() = default;

Compiler& Compiler::shared() {
  // Never destroyed: programs build modules from static destructors too.
  static Compiler& compiler = *new Compiler;
  return compiler;
}

namespace {

CompileRequest complete(const CompileRequest& request, const Toolchain& toolchain) {
  CompileRequest result = request;
  if (result.cpu.name.empty() && result.cpu.features.empty()) result.cpu = toolchain.cpu();
  return result;
}

template <class Work> ModulePtr reporting_errors(Work work) {
  try {
    return work();
  } catch (const std::system_error& error) {
    throw CompileError(CompileError::Kind::Unavailable, error.what());
  }
}

} // namespace

ModulePtr Compiler::compile(const CompileRequest& request) {
  return reporting_errors([&] {
    const auto& toolchain = state_->toolchain();
    return toolchain->compile(complete(request, *toolchain));
  });
}

ModulePtr Compiler::open(const CompileRequest& request) {
  return reporting_errors([&] {
    const auto& toolchain = state_->toolchain();
    const CompileRequest whole = complete(request, *toolchain);
    if (ModulePtr lazy = open_lazily(toolchain, whole)) return lazy;
    return toolchain->compile_soon(whole);
  });
}

ModulePtr Compiler::load_native(Bytes binary) {
  const Bytes native = split_link_inputs(binary).native;
  return load_module({native.begin(), native.end()});
}

} // namespace zeroth::compiler
