#include <entry/default_context.hpp>

#include <entry/core.hpp>

namespace zeroth::entry {

ze_context_handle_t default_context() {
  const auto drivers = session().asked_drivers();
  if (drivers.empty()) throw Error(ZE_RESULT_ERROR_UNINITIALIZED, "there is no driver");
  ze_context_handle_t context = zeDriverGetDefaultContext(drivers.front());
  if (context == nullptr)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "the first driver, {}, has no default context",
                registry::Backend::of(drivers.front()).name());
  return context;
}

} // namespace zeroth::entry
