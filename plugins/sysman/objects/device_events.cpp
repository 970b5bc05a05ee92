// Events of a device: its parts' and its own coming and going.
#include "../events/bell.hpp"
#include "../info_logs/log_book.hpp"
#include "device.hpp"

namespace zeroth::sysman {
namespace {

constexpr zes_event_type_flags_t Presence = ZES_EVENT_TYPE_FLAG_DEVICE_DETACH | ZES_EVENT_TYPE_FLAG_DEVICE_ATTACH;
constexpr zes_event_type_flags_t Sleep =
    ZES_EVENT_TYPE_FLAG_DEVICE_SLEEP_STATE_ENTER | ZES_EVENT_TYPE_FLAG_DEVICE_SLEEP_STATE_EXIT;

// The event of a change from one state to the other; the first look only remembers.
zes_event_type_flags_t change_of(std::optional<bool>& before, bool now, zes_event_type_flags_t rising,
                                 zes_event_type_flags_t falling) {
  const bool changed = before && *before != now;
  before = now;
  if (!changed) return 0;
  return now ? rising : falling;
}

} // namespace

ze_result_t DevicePart::zes_event_register(zes_event_type_flags_t events) {
  register_events(events);
  const std::lock_guard lock(events_);
  own_events(events); // what is true now is where changes are counted from
  bell().ring();
  return ZE_RESULT_SUCCESS;
}

zes_event_type_flags_t DevicePart::own_events(zes_event_type_flags_t wanted) {
  const Found& found = parts().found;
  zes_event_type_flags_t events = 0;
  if ((wanted & Presence) && found.present)
    events |=
        change_of(was_present_, found.present(), ZES_EVENT_TYPE_FLAG_DEVICE_ATTACH, ZES_EVENT_TYPE_FLAG_DEVICE_DETACH);
  if (events & ZES_EVENT_TYPE_FLAG_DEVICE_DETACH)
    LogBook::instance().report(ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_FATAL, "the device was detached", place().pci);
  if ((wanted & Sleep) && found.asleep)
    events |= change_of(was_asleep_, known_or(found.asleep, was_asleep_.value_or(false)),
                        ZES_EVENT_TYPE_FLAG_DEVICE_SLEEP_STATE_ENTER, ZES_EVENT_TYPE_FLAG_DEVICE_SLEEP_STATE_EXIT);
  if ((wanted & ZES_EVENT_TYPE_FLAG_DEVICE_RESET_REQUIRED) && found.wedged)
    events |= change_of(was_wedged_, known_or(found.wedged, false), ZES_EVENT_TYPE_FLAG_DEVICE_RESET_REQUIRED, 0);
  if (events & ZES_EVENT_TYPE_FLAG_DEVICE_RESET_REQUIRED)
    LogBook::instance().report(ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_FATAL, "the device needs a reset", place().pci);
  if ((wanted & ZES_EVENT_TYPE_FLAG_SURVIVABILITY_MODE_DETECTED) && found.survival)
    events |=
        change_of(was_surviving_, known_or(found.survival, false), ZES_EVENT_TYPE_FLAG_SURVIVABILITY_MODE_DETECTED, 0);
  return events & wanted;
}

zes_event_type_flags_t DevicePart::happened(zes_event_type_flags_t wanted) noexcept try {
  const std::lock_guard lock(events_);
  zes_event_type_flags_t events = own_events(wanted);
  for (Watched* part : parts().watched()) events |= part->happened(wanted);
  return events & wanted;
} catch (...) {
  return 0;
}

} // namespace zeroth::sysman
