#include "link_health.hpp"

#include <algorithm>

namespace zeroth::sysman {
namespace {

constexpr std::chrono::seconds Memory{10};

} // namespace

LinkHealth::LinkHealth(const PciSource& source) : source_(source), since_(Clock::now()), seen_(sample(speed())) {
  before_ = newest_ = seen_.errors;
}

zes_pci_speed_t LinkHealth::speed() const { return known_or(source_.speed, zes_pci_speed_t{-1, -1, -1}); }

LinkHealth::Sample LinkHealth::sample(const zes_pci_speed_t& speed) const {
  Sample now;
  now.errors = known_or(source_.errors, LinkErrors{});
  now.errors.replays = std::max(now.errors.replays, known_or<std::uint64_t>(source_.replays, 0));
  now.narrow = source_.lanes && speed.width > 0 && speed.width < *source_.lanes;
  return now;
}

LinkHealth::Verdict LinkHealth::look(const zes_pci_speed_t& speed) {
  Verdict verdict;
  if (!is_judged()) return verdict;
  const Sample now = sample(speed);
  const std::lock_guard lock(mutex_);
  if (Clock::now() - since_ > Memory) {
    before_ = newest_;
    since_ = Clock::now();
  }
  newest_ = now.errors;
  if (now.errors.replays > before_.replays) verdict.quality |= ZES_PCI_LINK_QUAL_ISSUE_FLAG_REPLAYS;
  if (now.narrow) verdict.quality |= ZES_PCI_LINK_QUAL_ISSUE_FLAG_SPEED;
  if (now.errors.retrainings > before_.retrainings) verdict.stability |= ZES_PCI_LINK_STAB_ISSUE_FLAG_RETRAINING;
  verdict.status = verdict.stability ? ZES_PCI_LINK_STATUS_STABILITY_ISSUES
                   : verdict.quality ? ZES_PCI_LINK_STATUS_QUALITY_ISSUES
                                     : ZES_PCI_LINK_STATUS_GOOD;
  return verdict;
}

zes_event_type_flags_t LinkHealth::happened(zes_event_type_flags_t wanted) noexcept {
  if (!(wanted & ZES_EVENT_TYPE_FLAG_PCI_LINK_HEALTH) || !is_judged()) return 0;
  const Sample now = sample(speed());
  const std::lock_guard lock(mutex_);
  const bool worse = now.errors.replays > seen_.errors.replays || now.errors.retrainings > seen_.errors.retrainings ||
                     (now.narrow && !seen_.narrow);
  seen_ = now;
  return worse ? ZES_EVENT_TYPE_FLAG_PCI_LINK_HEALTH : 0;
}

} // namespace zeroth::sysman
