// The kernel's counts of errors of a PCI Express link that were corrected: lines of "name count".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace zeroth::sysman::parse {

struct LinkErrors {
  std::uint64_t replays = 0;     // packets that had to be sent again: bad on arrival, or not answered in time
  std::uint64_t retrainings = 0; // so many in a row that the link was trained anew
};

// Of the file aer_dev_correctable; absent when it names none of them.
std::optional<LinkErrors> link_errors(std::string_view text);

} // namespace zeroth::sysman::parse
