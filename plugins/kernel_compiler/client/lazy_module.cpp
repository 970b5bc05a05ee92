#include "lazy_module.hpp"

#include "../spirv/extract_kernels.hpp"
#include "described_kernel.hpp"
#include "request_traits.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <system_error>

namespace zeroth::compiler {
namespace {

constexpr size_t fewest_kernels = 8;
// Kernels that are compiled together: what a compile costs beside its kernels is shared, and still none waits long.
constexpr size_t most_kernels_per_unit = 4;
constexpr size_t full_unit_words = 1500;

struct Unit {
  std::vector<size_t> kernels;
  std::mutex mutex;
  std::optional<Build> prefetched;
  ModulePtr module;
  std::optional<CompileError> failure;
};

class LazyModule final : public CompiledModule {
public:
  LazyModule(std::shared_ptr<const Toolchain> toolchain, const CompileRequest& request,
             std::unique_ptr<spirv::KernelExtractor> extractor)
      : toolchain_(std::move(toolchain)), spirv_(request.inputs[0].spirv.begin(), request.inputs[0].spirv.end()),
        request_(request), extractor_(std::move(extractor)) {
    request_.inputs[0].spirv = spirv_;
    for (const spirv::Kernel& kernel : extractor_->info().kernels) kernels_.push_back(describe(kernel));
    for (const auto& constant : extractor_->info().spec_constants) constants_.push_back({constant.id, constant.size});
    form_units();
  }

  const std::vector<KernelInfo>& kernels() const override { return kernels_; }
  const std::vector<SymbolInfo>& exports() const override { return none_; }
  const std::vector<SymbolInfo>& imports() const override { return none_; }
  const std::vector<SpecConstantInfo>& constants() const override { return constants_; }
  const std::string& build_log() const override { return log_; }

  const KernelSlot& prepare(size_t kernel) const override {
    const size_t number = unit_of_.at(kernel);
    Unit& unit = *units_[number];
    const std::lock_guard guard(unit.mutex);
    if (!unit.module) {
      if (unit.failure) throw *unit.failure;
      prefetch_behind(number);
      build(unit);
    }
    return slot_of(*unit.module, kernels_[kernel].name);
  }

  // Functions lie in a module of their own: kernels that call them hold copies.
  void* function_address(std::string_view name) const override {
    const auto& offered = extractor_->info().exports;
    if (std::ranges::find(offered, name, &spirv::Symbol::name) == offered.end()) return nullptr;
    const std::lock_guard guard(functions_mutex_);
    if (!functions_) {
      const std::vector<uint32_t> words = extractor_->extract_exports();
      functions_ = toolchain_->compile(request_for(words));
    }
    return functions_->function_address(name);
  }

  Bytes native_binary() const override {
    const std::lock_guard guard(whole_mutex_);
    if (!whole_) whole_ = toolchain_->compile(request_);
    return whole_->native_binary();
  }

private:
  void form_units() {
    size_t words = full_unit_words;
    for (size_t k = 0; k < kernels_.size(); ++k) {
      if (words >= full_unit_words || units_.back()->kernels.size() == most_kernels_per_unit) {
        units_.push_back(std::make_unique<Unit>());
        words = 0;
      }
      units_.back()->kernels.push_back(k);
      unit_of_.push_back(units_.size() - 1);
      words += extractor_->size(k);
    }
  }

  CompileRequest request_for(const std::vector<uint32_t>& words) const {
    CompileRequest request = request_;
    request.inputs[0].spirv = std::as_bytes(std::span(words));
    return request;
  }

  void build(Unit& unit) const {
    try {
      if (unit.prefetched) {
        unit.module = unit.prefetched->finish();
      } else {
        const std::vector<uint32_t> words = extractor_->extract(unit.kernels);
        unit.module = toolchain_->compile_soon(request_for(words));
      }
    } catch (const CompileError& error) {
      // A compiler that could not be started may be there next time.
      if (error.kind() == CompileError::Kind::BuildFailure) unit.failure = error;
      unit.prefetched.reset();
      throw;
    } catch (const std::system_error& error) {
      throw CompileError(CompileError::Kind::Unavailable, error.what());
    }
    unit.prefetched.reset();
  }

  // The more kernels a program has asked for, the surer it will ask for the next ones.
  void prefetch_behind(size_t number) const {
    const size_t asked = asked_.fetch_add(1, std::memory_order_relaxed);
    const size_t ahead = toolchain_->processes() > 1 ? std::min<size_t>(asked, 2 * toolchain_->processes()) : 0;
    const size_t end = std::min(units_.size(), number + 1 + ahead);
    for (size_t i = number + 1; i < end; ++i) {
      Unit& unit = *units_[i];
      const std::unique_lock guard(unit.mutex, std::try_to_lock);
      if (!guard || unit.module || unit.prefetched || unit.failure) continue;
      const std::vector<uint32_t> words = extractor_->extract(unit.kernels);
      try {
        unit.prefetched = toolchain_->start(request_for(words));
      } catch (const std::exception&) {
        return; // who asks for that kernel will be told
      }
    }
  }

  static const KernelSlot& slot_of(const CompiledModule& module, const std::string& name) {
    const auto& kernels = module.kernels();
    for (size_t i = 0; i < kernels.size(); ++i)
      if (kernels[i].name == name) return module.prepare(i);
    throw CompileError(CompileError::Kind::BuildFailure, "kernel " + name + " was lost by the compiler");
  }

  const std::shared_ptr<const Toolchain> toolchain_;
  const std::vector<std::byte> spirv_;
  CompileRequest request_; // the whole module's
  const std::unique_ptr<const spirv::KernelExtractor> extractor_;
  std::vector<KernelInfo> kernels_;
  std::vector<SpecConstantInfo> constants_;
  std::vector<std::unique_ptr<Unit>> units_;
  std::vector<size_t> unit_of_; // by kernel
  mutable std::atomic<size_t> asked_{0};
  const std::vector<SymbolInfo> none_;
  const std::string log_;
  mutable std::mutex whole_mutex_, functions_mutex_;
  mutable ModulePtr whole_, functions_;
};

std::vector<uint32_t> words_of(Bytes spirv) {
  std::vector<uint32_t> words(spirv.size() / sizeof(uint32_t));
  if (!words.empty()) std::memcpy(words.data(), spirv.data(), words.size() * sizeof(uint32_t));
  return words;
}

std::vector<spirv::SpecConstantValue> values_of(const std::vector<SpecConstant>& constants) {
  std::vector<spirv::SpecConstantValue> values;
  for (const SpecConstant& constant : constants) {
    uint64_t bits = 0;
    std::memcpy(&bits, constant.value.data(), std::min(constant.value.size(), sizeof bits));
    values.push_back({constant.id, bits});
  }
  return values;
}

} // namespace

ModulePtr open_lazily(std::shared_ptr<const Toolchain> toolchain, const CompileRequest& request) {
  if (request.inputs.size() != 1 || wants_report(request.inputs[0].options)) return nullptr;
  const ModuleInput& input = request.inputs[0];
  if (input.spirv.size() % sizeof(uint32_t) != 0) return nullptr;
  constexpr size_t smallest_kernel = 100; // bytes of SPIR-V
  if (input.spirv.size() < fewest_kernels * smallest_kernel) return nullptr;
  try {
    auto extractor = std::make_unique<spirv::KernelExtractor>(words_of(input.spirv), values_of(input.constants));
    if (!extractor->is_divisible() || extractor->info().kernels.size() < fewest_kernels) return nullptr;
    return std::make_shared<LazyModule>(std::move(toolchain), request, std::move(extractor));
  } catch (const std::exception&) {
    return nullptr;
  }
}

} // namespace zeroth::compiler
