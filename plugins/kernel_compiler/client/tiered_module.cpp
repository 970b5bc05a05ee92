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
    std::promise<ModulePtr> promise;
    best_ = promise.get_future().share();
    const SignalsBlocked blocked;
    // Detached, for a program may end without destroying its modules. The promise is the thread's own: this object may
    // be gone as soon as the value is there.
    std::thread([this, promise = std::move(promise)]() mutable { promise.set_value(exchanged()); }).detach();
  }

  ~TieredModule() override {
    if (!is_ours()) return; // a child of fork(): there is no such thread here
    best_build_.cancel();
    best_.wait();
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

  // Waits for the best code and puts it in place; null where there is none: the quick code is right, too.
  ModulePtr exchanged() {
    try {
      ModulePtr best = best_build_.finish();
      exchange(*best);
      return best;
    } catch (const std::exception&) {
      return nullptr;
    }
  }

  void exchange(const CompiledModule& best) {
    const auto& quick = quick_->kernels();
    for (size_t i = 0; i < quick.size(); ++i)
      if (const KernelInfo* code = best.kernel(quick[i].name); code && code->entry && replaces(*code, quick[i]))
        slots_[i].store(code);
  }

  const ModulePtr quick_;
  Build best_build_; // of the thread that waits for it
  std::vector<KernelSlot> slots_;
  std::shared_future<ModulePtr> best_; // null if there is none; owns the code that the slots lead to
  const pid_t owner_process_;
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
