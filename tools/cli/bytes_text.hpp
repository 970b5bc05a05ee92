// Sizes for people.
#pragma once

#include <cstdint>
#include <string>

namespace zeroth::cli {

// "512 B", "1.5 GiB".
std::string bytes_text(uint64_t bytes);

} // namespace zeroth::cli
