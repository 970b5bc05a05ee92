// How the kernel describes the events that a performance counter may count: "event=0x04,umask=0x03" in a folder
// `events`, the bits that these names stand for in a folder `format` ("config:8-15").
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace zeroth::sysman::parse {

struct EventTerm {
  std::string_view name;
  std::uint64_t value = 1; // a name alone means 1
};

// Absent when a term's value is no number.
std::optional<std::vector<EventTerm>> event_terms(std::string_view text);

// `config` with the value's bits put where "config:0-7,32-35" says; absent for another word than config (config1, …).
std::optional<std::uint64_t> with_field(std::uint64_t config, std::string_view format, std::uint64_t value);

// Bytes for each count, from the texts of "event.scale" and "event.unit": 6.103515625e-5 and MiB; absent for other
// units.
std::optional<double> bytes_per_count(std::string_view scale, std::string_view unit);

// A list of processors, "0,28" or "0-3"; empty when it is none, or one of more than 4096.
std::vector<int> cpu_list(std::string_view list);

} // namespace zeroth::sysman::parse
