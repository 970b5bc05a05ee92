// Whether a device's PCI Express link is as good as it can be: fewer lanes than both of its ends have, packets sent
// again, or the link trained anew. Errors count for some seconds after they happened.
//
// Any thread.
#pragma once

#include "part.hpp"

#include <chrono>
#include <mutex>

namespace zeroth::sysman {

class LinkHealth final : public Watched {
public:
  explicit LinkHealth(const PciSource& source);

  struct Verdict {
    zes_pci_link_status_t status = ZES_PCI_LINK_STATUS_UNKNOWN;
    zes_pci_link_qual_issue_flags_t quality = 0;
    zes_pci_link_stab_issue_flags_t stability = 0;
  };
  // Of a link that runs at this speed now.
  Verdict look(const zes_pci_speed_t& speed);

  // The event of a link that became worse, or had more errors.
  zes_event_type_flags_t happened(zes_event_type_flags_t wanted) noexcept override;

private:
  struct Sample {
    LinkErrors errors;
    bool narrow = false;
  };
  Sample sample(const zes_pci_speed_t& speed) const;
  zes_pci_speed_t speed() const;
  bool is_judged() const { return source_.errors || source_.replays || source_.lanes; }

  using Clock = std::chrono::steady_clock;
  const PciSource& source_;    // of the same device, which lives as long
  std::mutex mutex_;           // guards what follows
  LinkErrors before_, newest_; // errors are those between the two
  Clock::time_point since_;
  Sample seen_; // by the last question for events
};

} // namespace zeroth::sysman
