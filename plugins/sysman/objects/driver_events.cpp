// Listening for events: the calling thread looks at the readings itself, at the option's interval, and sleeps between.
// Where nothing is registered that must be looked at, it sleeps until somebody registers or the time is over.
#include "../events/bell.hpp"
#include "../info_logs/log_book.hpp"
#include "backing.hpp"
#include "driver.hpp"

#include <algorithm>
#include <chrono>

namespace zeroth::sysman {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr zes_event_type_flags_t DriverScoped = ZES_EVENT_TYPE_FLAG_INFO_LOG_CPER_DATA_AVAILABLE_EXT;
constexpr milliseconds Long = std::chrono::hours(1);

// When a listen call ends at the latest.
class Deadline {
public:
  explicit Deadline(uint64_t timeout) {
    constexpr uint64_t Years = uint64_t{1000} * 3600 * 24 * 365 * 10; // more is for ever, too
    if (timeout < Years) end_ = Clock::now() + milliseconds(timeout);
  }
  milliseconds left() const {
    if (!end_) return Long;
    return std::chrono::ceil<milliseconds>(std::max(*end_ - Clock::now(), Clock::duration::zero()));
  }
  bool over() const { return end_ && Clock::now() >= *end_; }

private:
  std::optional<Clock::time_point> end_;
};

} // namespace

ze_result_t DriverPart::zes_event_register_ext(zes_event_type_flags_t events) {
  if ((events & ~DriverScoped) != 0)
    throw Error(ZE_RESULT_ERROR_INVALID_ENUMERATION, "events 0x{:x} belong to devices: use zesDeviceEventRegister",
                events & ~DriverScoped);
  if ((events & ~registered_.load()) != 0) seen_records_.store(records()); // what came before is no news
  registered_.store(events);
  bell().ring();
  return ZE_RESULT_SUCCESS;
}

std::uint64_t DriverPart::records() {
  const Interest interest = interest_in(origins());
  LogBook::instance().collect();
  return LogBook::instance().written(interest);
}

zes_event_type_flags_t DriverPart::driver_events() {
  if (registered_.load() == 0) return 0;
  const std::uint64_t written = records();
  return written > seen_records_.exchange(written) ? DriverScoped : 0;
}

std::vector<DevicePart*> DriverPart::listened(uint32_t count, const zes_device_handle_t* handles) {
  std::vector<DevicePart*> parts;
  const auto mine = devices();
  for (uint32_t i = 0; i < count; ++i) {
    if (handles[i] == nullptr) throw Error(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "device {} of the list is null", i);
    if (std::find(mine.begin(), mine.end(), handles[i]) == mine.end())
      throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "device {} of the list belongs to another driver", i);
    parts.push_back(&backing_.device(handles[i]));
  }
  return parts;
}

ze_result_t DriverPart::zes_event_listen_ext(uint64_t timeout, uint32_t count, zes_device_handle_t* handles,
                                             uint32_t* device_events, zes_event_type_flags_t* events,
                                             zes_event_type_flags_t* driver_events_out) {
  *device_events = 0;
  std::fill_n(events, count, 0);
  if (driver_events_out) *driver_events_out = 0;
  const std::vector<DevicePart*> parts = listened(count, handles);
  const Deadline deadline(timeout);
  Bell::Ear ear(bell(), true);
  for (bool looked = false;;) {
    bool looking = driver_events_out && registered_.load() != 0;
    for (uint32_t i = 0; i < count; ++i) {
      const zes_event_type_flags_t wanted = parts[i]->registered();
      looking = looking || wanted != 0;
      if (wanted != 0 && (events[i] = parts[i]->happened(wanted)) != 0) ++*device_events;
    }
    if (driver_events_out) *driver_events_out = driver_events();
    if (*device_events > 0 || (driver_events_out && *driver_events_out) || deadline.over()) return ZE_RESULT_SUCCESS;
    if (looked && !looking) return ZE_RESULT_SUCCESS; // all registrations were taken back: nothing can come
    looked = looking;
    ear.wait(std::min(deadline.left(), looking ? settings().interval : Long));
  }
}

ze_result_t DriverPart::zes_event_listen_ex(uint64_t timeout, uint32_t count, zes_device_handle_t* handles,
                                            uint32_t* device_events, zes_event_type_flags_t* events) {
  return zes_event_listen_ext(timeout, count, handles, device_events, events, nullptr);
}

ze_result_t DriverPart::zes_event_listen(uint32_t timeout, uint32_t count, zes_device_handle_t* handles,
                                         uint32_t* device_events, zes_event_type_flags_t* events) {
  const uint64_t longer = timeout == UINT32_MAX ? UINT64_MAX : timeout;
  return zes_event_listen_ext(longer, count, handles, device_events, events, nullptr);
}

} // namespace zeroth::sysman
