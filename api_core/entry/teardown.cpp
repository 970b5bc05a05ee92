#include <entry/teardown.hpp>

#include <dlfcn.h>
#include <utility>

#include <entry/core.hpp>

namespace zeroth::entry {
namespace {

// A library that was closed without telling us must not be called.
bool is_mapped(zel_loader_teardown_callback_t callback) {
  Dl_info info;
  return dladdr(reinterpret_cast<void*>(callback), &info) != 0;
}

} // namespace

TeardownCallbacks& teardown_callbacks() {
  static TeardownCallbacks& callbacks = *new TeardownCallbacks;
  return callbacks;
}

std::uint32_t TeardownCallbacks::add(zel_loader_teardown_callback_t callback) {
  const std::lock_guard lock(mutex_);
  callbacks_.push_back(callback);
  return static_cast<std::uint32_t>(callbacks_.size() - 1);
}

void TeardownCallbacks::forget(std::uint32_t index) noexcept {
  const std::lock_guard lock(mutex_);
  if (index < callbacks_.size()) callbacks_[index] = nullptr;
}

void TeardownCallbacks::notify() noexcept {
  std::vector<zel_loader_teardown_callback_t> callbacks;
  {
    const std::lock_guard lock(mutex_);
    callbacks.swap(callbacks_);
  }
  for (auto callback : callbacks)
    if (callback != nullptr && is_mapped(callback)) callback();
}

} // namespace zeroth::entry

using namespace zeroth::entry;

namespace {

void application_is_gone(uint32_t index) { teardown_callbacks().forget(index); }

// The only thing that this library does at process exit. Nothing is freed: threads and destructors may still call us.
[[gnu::destructor]] void at_process_exit() {
  session().end();
  teardown_callbacks().notify();
}

} // namespace

extern "C" {

ze_result_t ZE_APICALL zelRegisterTeardownCallback(zel_loader_teardown_callback_t application_callback,
                                                   zel_application_teardown_callback_t* loader_callback,
                                                   uint32_t* index) {
  if (application_callback == nullptr || loader_callback == nullptr || index == nullptr)
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return at_edge("zelRegisterTeardownCallback", [&] {
    *index = teardown_callbacks().add(application_callback);
    *loader_callback = application_is_gone;
    return ZE_RESULT_SUCCESS;
  });
}

bool ZE_APICALL zelCheckIsLoaderInTearDown() { return session().ending(); }

ze_result_t ZE_APICALL zelSetDriverTeardown() {
  session().end();
  return ZE_RESULT_SUCCESS;
}

// Upstream lets a program choose when the loader's context dies. Ours never dies, so the wish is granted already.
void ZE_APICALL zelSetDelayLoaderContextTeardown() {}

void ZE_APICALL zelLoaderContextTeardown() { session().end(); }

} // extern "C"
