#include "tiered_module.hpp"

#include "request_traits.hpp"

#include <csignal>
#include <future>
#include <thread>
#include <unistd.h>

namespace zeroth::compiler {
namespace {

// Launch parameters that were laid out for the one must fit the other.
bool replaces(const KernelInfo& best, const KernelInfo& quick) {
  return best.name == quick.name && best.argument_block_size == quick.argument_block_size &&
         best.sub_group_size == quick.sub_group_size && best.local_bytes <= quick.local_bytes &&
         best.arguments.size() == quick.arguments.size();
}

// Signals of the program are not for our threads.
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
  sigset_t before_;
};

class TieredModule final : public CompiledModule {
public:
  TieredModule(ModulePtr quick, Build best)
      : quick_(std::move(quick)), best_build_(std::move(best)), slots_(quick_->kernels().size()),
        owner_process_(getpid()) {
    for (size_t i = 0; i < slots_.size(); ++i) slots_[i].store(&quick_->kernels()[i]);
    best_ = promise_.get_future().share();
    const SignalsBlocked blocked;
    watcher_ = std::thread([this] { watch(); });
  }

  ~TieredModule() override {
    if (!is_ours()) {
      watcher_.detach(); // a child of fork(): there is no such thread here
      return;
    }
    best_build_.cancel();
    watcher_.join();
  }

  const std::vector<KernelInfo>& kernels() const override { return quick_->kernels(); }
  const KernelSlot& prepare(size_t kernel) const override { return slots_.at(kernel); }
  const std::vector<SymbolInfo>& exports() const override { return quick_->exports(); }
  const std::vector<SymbolInfo>& imports() const override { return quick_->imports(); }
  const std::vector<SpecConstantInfo>& constants() const override { return quick_->constants(); }
  const std::string& build_log() const override { return quick_->build_log(); }
  Bytes native_binary() const override {
    const ModulePtr best = is_ours() ? best_.get() : nullptr;
    return (best ? best : quick_)->native_binary();
  }

private:
  bool is_ours() const { return owner_process_ == getpid(); }

  void watch() {
    ModulePtr best;
    try {
      best = best_build_.finish();
      exchange(*best);
    } catch (const std::exception&) {
      // The quick code is right, too.
    }
    promise_.set_value(std::move(best));
  }

  void exchange(const CompiledModule& best) {
    const auto& quick = quick_->kernels();
    for (size_t i = 0; i < quick.size(); ++i)
      if (const KernelInfo* code = best.kernel(quick[i].name); code && code->entry && replaces(*code, quick[i]))
        slots_[i].store(code);
  }

  const ModulePtr quick_;
  Build best_build_; // of the watcher
  std::vector<KernelSlot> slots_;
  std::promise<ModulePtr> promise_;
  std::shared_future<ModulePtr> best_; // null if there is none; owns the code that the slots lead to
  const pid_t owner_process_;
  std::thread watcher_;
};

} // namespace

bool may_be_replaced(const CompileRequest& request) {
  for (const ModuleInput& input : request.inputs)
    if (wants_report(input.options) || has_program_variables(input.spirv)) return false;
  return true;
}

ModulePtr make_tiered_module(ModulePtr quick, Build best) {
  return std::make_shared<TieredModule>(std::move(quick), std::move(best));
}

} // namespace zeroth::compiler
