#include "uevent.hpp"

#include "pci.hpp"

namespace zeroth::sysman::parse {
namespace {

std::string_view next_text(std::string_view& rest) {
  const auto end = rest.find('\0');
  const std::string_view text = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return text;
}

// "WEDGED=none" tells of a fault that the driver mended by itself.
bool needs_reset(std::string_view ways) { return !ways.empty() && ways != "none"; }

void find_pci(Uevent& event) {
  for (std::string_view rest = event.path; !rest.empty();) {
    const auto end = rest.rfind('/');
    const std::string_view name = rest.substr(end == std::string_view::npos ? 0 : end + 1);
    if (pci_address(name)) {
      event.pci = name;
      event.is_pci = rest.size() == event.path.size();
      return;
    }
    rest = rest.substr(0, end == std::string_view::npos ? 0 : end);
  }
}

} // namespace

std::optional<Uevent> uevent(std::string_view message) {
  const std::string_view head = next_text(message);
  const auto at = head.find('@');
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  Uevent event;
  event.action = head.substr(0, at);
  event.path = head.substr(at + 1);
  find_pci(event);
  while (!message.empty()) {
    const std::string_view text = next_text(message);
    if (text.starts_with("WEDGED=")) event.wedged = needs_reset(text.substr(7));
  }
  return event;
}

} // namespace zeroth::sysman::parse
