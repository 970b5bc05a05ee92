#include "external_semaphore.hpp"

#include "chain.hpp"
#include "command_list.hpp"
#include "device.hpp"

#include <sdk/error.hpp>

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace zeroth::cpu {

namespace {

struct Use {
  CpuExternalSemaphore* semaphore;
  std::uint64_t value;
};

class SemaphoreCommand : public Command {
public:
  SemaphoreCommand(const Use* uses, std::uint32_t count) : uses_(uses), count_(count) {}
  bool is_barrier() const override { return true; }
  bool takes_at_most(std::uint64_t) const override { return true; }

protected:
  ~SemaphoreCommand() = default;

  const Use* uses_; // lives as long as the command
  std::uint32_t count_;
};

class SignalSemaphoresCommand final : public SemaphoreCommand {
public:
  using SemaphoreCommand::SemaphoreCommand;
  Step start(Worker&, Continuation&) override {
    for (const Use* use = uses_; use != uses_ + count_; ++use) use->semaphore->signal_and_end_use(use->value);
    return Step::Done;
  }
};

class WaitSemaphoresCommand final : public SemaphoreCommand, private Waiter {
public:
  using SemaphoreCommand::SemaphoreCommand;
  Step start(Worker&, Continuation& owner) override {
    owner_ = &owner;
    return pass_all() ? Step::Done : Step::Suspended;
  }

private:
  // False: a look is on the way, which may have gone on already.
  bool pass_all() {
    for (; index_ < count_; end_one()) {
      const WatchedWord watched = uses_[index_].semaphore->watched(uses_[index_].value);
      if (watched.passed()) continue;
      owner_->waits_outside(true);
      Watch::shared().add(watched, *this);
      return false;
    }
    return true;
  }
  void end_one() { uses_[index_++].semaphore->end_use(); }
  void released() override {
    owner_->waits_outside(false);
    end_one();
    if (pass_all()) owner_->command_done(nullptr);
  }

  Continuation* owner_ = nullptr;
  std::uint32_t index_ = 0;
};

} // namespace

ze_result_t CpuExternalSemaphore::device_release_external_semaphore_ext() {
  while (signalling_.load(std::memory_order_acquire) != 0) std::this_thread::yield();
  if (users_.load(std::memory_order_acquire) != 0)
    throw Error(ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE,
                std::string("commands still signal the semaphore or wait for it"));
  delete this;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::import_external_semaphore_ext(const ze_external_semaphore_ext_desc_t* desc,
                                                     ze_external_semaphore_ext_handle_t* semaphore) {
  constexpr auto Timeline = ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_VK_TIMELINE_SEMAPHORE_FD;
  if (desc->flags != ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_OPAQUE_FD && desc->flags != Timeline)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, "external semaphores of type {:#x}", desc->flags);
  auto* source =
      find_in_chain<ze_external_semaphore_fd_ext_desc_t>(desc->pNext, ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_FD_EXT_DESC);
  if (!source) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("no descriptor in the chain"));
  try {
    auto made = std::make_unique<CpuExternalSemaphore>(source->fd);
    if (desc->flags == Timeline && made->semaphore().kind() != SemaphoreFile::Kind::Timeline)
      throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "descriptor {} is a binary semaphore", source->fd);
    *semaphore = to_handle(made.release());
  } catch (const std::invalid_argument&) {
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "descriptor {} is no semaphore of ours", source->fd);
  }
  return ZE_RESULT_SUCCESS;
}

// The specification lets several threads do this on one list at once.
template <class C, class Parameters>
ze_result_t CpuCommandList::append_semaphores(uint32_t count, ze_external_semaphore_ext_handle_t* semaphores,
                                              const Parameters* parameters, const Sync& sync) {
  if (!immediate())
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("external semaphores need an immediate list"));
  if (std::find(semaphores, semaphores + count, nullptr) != semaphores + count)
    throw Error(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, std::string("a semaphore is null"));
  const Room room = reserve(sizeof(C), count * sizeof(Use), sync.count);
  auto* uses = reinterpret_cast<Use*>(room.extra);
  for (uint32_t i = 0; i < count; ++i) {
    new (&uses[i]) Use{from_handle<CpuExternalSemaphore>(semaphores[i]), parameters[i].value};
    uses[i].semaphore->begin_use();
  }
  try {
    finish(*new (room.command) C(uses, count), room, sync);
  } catch (...) {
    for (uint32_t i = 0; i < count; ++i) // the command's own list of them has gone
      from_handle<CpuExternalSemaphore>(semaphores[i])->end_use();
    throw;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandList::append_signal_external_semaphore_ext(uint32_t semaphores,
                                                                 ze_external_semaphore_ext_handle_t* handles,
                                                                 ze_external_semaphore_signal_params_ext_t* parameters,
                                                                 ze_event_handle_t signal, uint32_t count,
                                                                 ze_event_handle_t* waits) {
  return append_semaphores<SignalSemaphoresCommand>(semaphores, handles, parameters, {signal, count, waits});
}

ze_result_t CpuCommandList::append_wait_external_semaphore_ext(uint32_t semaphores,
                                                               ze_external_semaphore_ext_handle_t* handles,
                                                               ze_external_semaphore_wait_params_ext_t* parameters,
                                                               ze_event_handle_t signal, uint32_t count,
                                                               ze_event_handle_t* waits) {
  return append_semaphores<WaitSemaphoresCommand>(semaphores, handles, parameters, {signal, count, waits});
}

} // namespace zeroth::cpu
