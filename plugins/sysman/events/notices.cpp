#include "notices.hpp"

#include "../parse/uevent.hpp"

namespace zeroth::sysman {

Notices& notices() {
  static Notices& only = *new Notices;
  return only;
}

void Notices::take(std::string_view message) {
  const auto event = parse::uevent(message);
  if (!event || event->pci.empty()) return;
  const bool anew = event->is_pci && (event->action == "remove" || event->action == "bind" || event->action == "add");
  if (!anew && !event->wedged) return;
  const std::lock_guard lock(mutex_);
  if (anew)
    wedged_.erase(std::string(event->pci));
  else
    wedged_.emplace(event->pci);
}

bool Notices::is_wedged(const std::string& pci) const {
  const std::lock_guard lock(mutex_);
  return wedged_.contains(pci);
}

} // namespace zeroth::sysman
