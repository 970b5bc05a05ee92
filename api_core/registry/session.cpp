#include <registry/session.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <registry/driver_order.hpp>
#include <registry/lost.hpp>
#include <sdk/error.hpp>
#include <sdk/log.hpp>
#include <sdk/zeroth_sysman_drivers.h>

namespace zeroth::registry {
namespace {

constexpr std::uint32_t bit(Family family) { return 1u << static_cast<unsigned>(family); }
constexpr std::uint32_t CoreFamilies = bit(Family::Core) | bit(Family::Tools) | bit(Family::Runtime);

bool enabled_by_environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && std::strcmp(value, "1") == 0;
}

} // namespace

// Holds the discovery lock; empty-handed when this very thread holds it already.
class Session::DiscoveryLock {
public:
  explicit DiscoveryLock(Session& session) : session_(session) {
    if (session_.discoverer_.load() == std::this_thread::get_id()) return;
    session_.discovery_.lock();
    session_.discoverer_.store(std::this_thread::get_id());
    held_ = true;
  }
  ~DiscoveryLock() {
    if (!held_) return;
    session_.discoverer_.store(std::thread::id());
    session_.discovery_.unlock();
  }
  DiscoveryLock(const DiscoveryLock&) = delete;
  DiscoveryLock& operator=(const DiscoveryLock&) = delete;
  bool held() const { return held_; }

private:
  Session& session_;
  bool held_ = false;
};

void Session::load_into(Ready& ready, Found found) {
  ready.no_driver_is_success = found.no_driver_is_success;
  for (FoundDriver& driver : found.drivers) {
    const auto failed = driver.failed;
    const std::string name = driver.name;
    try {
      ready.backends.push_back(std::make_unique<Backend>(std::move(driver)));
    } catch (const Error& error) {
      failed ? failed(error.text) : log(Level::Warning, "driver {} is left out: {}", name, error.text);
    }
  }
  order_drivers(ready.backends);
}

Session::Ready* Session::load_drivers() {
  Ready& ready = *kept_.emplace_back(std::make_unique<Ready>());
  load_into(ready, source_(forked_));
  if (!ready.backends.empty() || ready.no_driver_is_success) return &ready;
  kept_.pop_back();
  return nullptr;
}

const Session::Ready* Session::discover() {
  if (const Ready* known = ready()) return known;
  if (ending()) return nullptr;
  DiscoveryLock lock(*this);
  if (!lock.held()) return nullptr;
  if (const Ready* known = ready()) return known;
  lost_tables();
  Ready* found = load_drivers();
  ready_.store(found, std::memory_order_release);
  return found;
}

ze_result_t Session::init_core(Types wanted) {
  const Ready* ready = discover();
  if (ready == nullptr) return ZE_RESULT_ERROR_UNINITIALIZED;
  decide_reported_type(*ready, wanted);
  if (!any_visible(*ready, wanted) && !(ready->backends.empty() && ready->no_driver_is_success))
    return ZE_RESULT_ERROR_UNINITIALIZED;
  if ((asked_.load(std::memory_order_relaxed) & wanted) != wanted) asked_.fetch_or(wanted);
  if (!initialised(Family::Core)) {
    families_.fetch_or(CoreFamilies);
    if (enabled_by_environment("ZES_ENABLE_SYSMAN")) init_sysman();
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t Session::init_sysman() {
  const Ready* ready = discover();
  if (ready == nullptr) return ZE_RESULT_ERROR_UNINITIALIZED;
  if (initialised(Family::Sysman)) return ZE_RESULT_SUCCESS;
  DiscoveryLock lock(*this);
  if (!lock.held()) return ZE_RESULT_ERROR_UNINITIALIZED;
  for (const auto& backend : ready->backends) backend->start_sysman();
  families_.fetch_or(bit(Family::Sysman), std::memory_order_release);
  return ZE_RESULT_SUCCESS;
}

// Devices of type `auto` show themselves as GPUs to a program that asks for nothing else, when there is no real one.
void Session::decide_reported_type(const Ready& ready, Types wanted) {
  if (type_decided_.load(std::memory_order_acquire)) return;
  DiscoveryLock lock(*this);
  if (!lock.held() || type_decided_.load()) return;
  const bool gpus_alone = wanted == Gpu && !any_visible(ready, Gpu);
  for (const auto& backend : ready.backends) {
    const Presented::Type type = backend->presented().type;
    if (type == Presented::Type::Gpu || (type == Presented::Type::Auto && gpus_alone))
      backend->report(ZE_DEVICE_TYPE_GPU);
  }
  type_decided_.store(true, std::memory_order_release);
}

bool Session::any_visible(const Ready& ready, Types wanted) {
  for (const auto& backend : ready.backends)
    for (const DriverEntry& driver : backend->drivers())
      if ((backend->visible_types(driver) & wanted) != 0) return true;
  return false;
}

bool Session::initialised(Family family) const noexcept {
  return (families_.load(std::memory_order_acquire) & bit(family)) != 0;
}

std::vector<ze_driver_handle_t> Session::drivers(Types wanted) const {
  std::vector<ze_driver_handle_t> listed;
  const Ready* ready = this->ready();
  if (ready == nullptr) return listed;
  for (const auto& backend : ready->backends)
    for (const DriverEntry& driver : backend->drivers())
      if ((backend->visible_types(driver) & wanted) != 0) listed.push_back(driver.core);
  return listed;
}

std::vector<zes_driver_handle_t> Session::sysman_drivers() const {
  std::vector<zes_driver_handle_t> listed;
  const Ready* ready = this->ready();
  if (ready == nullptr || !initialised(Family::Sysman)) return listed;
  for (const auto& backend : ready->backends)
    for (const DriverEntry& driver : backend->drivers()) listed.push_back(driver.sysman);
  if (!initialised(Family::Core)) add_drivers_of_overlays(*ready, listed);
  return listed;
}

// Each overlay is asked once, over however many drivers it stands.
void Session::add_drivers_of_overlays(const Ready& ready, std::vector<zes_driver_handle_t>& listed) {
  const std::vector<zes_driver_handle_t> served = listed;
  std::vector<const void*> asked;
  for (const auto& backend : ready.backends)
    for (const FoundOverlay& overlay : backend->overlays()) {
      const void* found = overlay.find_interface
                              ? overlay.find_interface(ZEROTH_SYSMAN_DRIVERS, ZEROTH_SYSMAN_DRIVERS_VERSION)
                              : nullptr;
      if (found == nullptr || std::find(asked.begin(), asked.end(), found) != asked.end()) continue;
      asked.push_back(found);
      const auto list = static_cast<const zeroth_sysman_drivers*>(found)->list;
      const auto served_count = static_cast<std::uint32_t>(served.size());
      std::uint32_t count = 0;
      if (list(served_count, served.data(), &count, nullptr) != ZE_RESULT_SUCCESS || count == 0) continue;
      std::vector<zes_driver_handle_t> more(count);
      if (list(served_count, served.data(), &count, more.data()) != ZE_RESULT_SUCCESS) continue;
      listed.insert(listed.end(), more.begin(), more.begin() + std::min<std::size_t>(count, more.size()));
    }
}

void Session::before_fork() {
  if (discoverer_.load() != std::this_thread::get_id()) discovery_.lock();
}

void Session::after_fork_in_parent() {
  if (discoverer_.load() != std::this_thread::get_id()) discovery_.unlock();
}

void Session::after_fork_in_child() {
  if (Ready* parents = ready_.exchange(nullptr)) {
    for (const auto& backend : parents->backends) backend->lose_handles(lost_tables());
    forked_ = true;
  }
  type_decided_.store(false);
  families_.store(0);
  asked_.store(0);
  after_fork_in_parent();
}

} // namespace zeroth::registry
