#include "recorded_waits.hpp"

#include <functional>

namespace zeroth::cpu {

void RecordedWaits::add(const Command& command) {
  for (std::uint32_t i = 0; i < command.wait_count; ++i) {
    const WaitPoint& point = command.waits[i];
    Timeline* timeline = point.awaited_timeline();
    if (!timeline || !timeline->is_list_progress()) continue;
    auto* list = static_cast<ListProgress*>(timeline);
    if (const std::uint64_t signal = list->signal_at(point.value()))
      waits_.push_back({const_cast<WaitPoint*>(&point), list, list->recording(), signal, point.value()});
  }
}

void RecordedWaits::forget(const Command& command, std::size_t count) {
  std::erase_if(waits_, [&](const Wait& wait) {
    return !std::less<>()(wait.place, command.waits) && std::less<>()(wait.place, command.waits + count);
  });
}

void RecordedWaits::renew(ExecuteListCommand::Renewal* to) {
  for (Wait& wait : waits_) {
    if (wait.list->recording() == wait.recording) wait.number = wait.list->number_of(wait.signal);
    *to++ = {wait.place, WaitPoint::at(*wait.list, wait.number)};
  }
}

void RecordedWaits::copy(const RecordedWaits& from, const std::map<const WaitPoint*, WaitPoint*>& places) {
  waits_ = from.waits_;
  for (Wait& wait : waits_) wait.place = places.at(wait.place);
  auto fixed = places;
  for (const Wait& wait : from.waits_) fixed.erase(wait.place);
  for (const auto& [source, place] : fixed) *place = *source;
}

} // namespace zeroth::cpu
