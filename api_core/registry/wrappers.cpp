#include <registry/wrap.hpp>

#include <mutex>
#include <unordered_map>

#include <registry/wrap_glue.hpp>

namespace zeroth::registry {
namespace {

using wrap_glue::Wrapper;

// Every wrapper in use, by the driver's object. Never destroyed.
struct Wrappers {
  std::mutex mutex;
  std::unordered_map<void*, std::unique_ptr<Wrapper>> by_own;
  // Wrappers that do not stand for their address now: their release is under way.
  std::unordered_map<Wrapper*, std::unique_ptr<Wrapper>> releasing;
};

Wrappers& wrappers() {
  static Wrappers& all = *new Wrappers;
  return all;
}

} // namespace

void* wrap(Backend& backend, void* own) {
  Wrappers& all = wrappers();
  const std::lock_guard lock(all.mutex);
  std::unique_ptr<Wrapper>& place = all.by_own[own];
  if (place == nullptr) place = std::make_unique<Wrapper>(Wrapper{backend.composed(), own, &backend});
  // Another backend than before: in a forked child, a driver that hands out its parent's objects again.
  __atomic_store_n(&place->backend, &backend, __ATOMIC_RELAXED);
  set_prefix(place->prefix, backend.composed(), PrefixSize::Four);
  return place.get();
}

void* driver_object(void* handle) {
  return Backend::of(handle).attachment() == Attachment::Wrapped ? static_cast<Wrapper*>(handle)->own : handle;
}

wrap_glue::Release::Release(Backend&, void* wrapper) : wrapper_(static_cast<Wrapper*>(wrapper)) {
  Wrappers& all = wrappers();
  const std::lock_guard lock(all.mutex);
  const auto place = all.by_own.find(wrapper_->own);
  if (place == all.by_own.end() || place->second.get() != wrapper_) return;
  all.releasing[wrapper_] = std::move(place->second);
  all.by_own.erase(place);
}

void wrap_glue::Release::done(ze_result_t result) {
  Wrappers& all = wrappers();
  const std::lock_guard lock(all.mutex);
  const auto place = all.releasing.find(wrapper_);
  if (place == all.releasing.end()) return;
  if (result != ZE_RESULT_SUCCESS) all.by_own.try_emplace(wrapper_->own, std::move(place->second));
  all.releasing.erase(place);
}

void lock_wrappers() { wrappers().mutex.lock(); }
void unlock_wrappers() { wrappers().mutex.unlock(); }

} // namespace zeroth::registry
