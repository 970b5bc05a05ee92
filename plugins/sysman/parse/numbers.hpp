// Numbers in the text files of the kernel. No function here throws, allocates, or reads outside its view: the fuzz test
// gives them anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace zeroth::sysman::parse {

std::string_view trimmed(std::string_view text);

// The decimal number that the text begins with, behind blanks; what follows must not be a digit's continuation of it
// (overflow is no number).
std::optional<std::int64_t> integer(std::string_view text);
std::optional<double> decimal(std::string_view text);
// "0x1002" or "1002".
std::optional<std::uint64_t> hexadecimal(std::string_view text);

// Takes the first line, or the first word, off the front of `rest`.
std::string_view next_line(std::string_view& rest);
std::string_view next_word(std::string_view& rest);

// What follows "key:" or "key :" on a line of its own; absent when there is none.
std::optional<std::string_view> value_of(std::string_view text, std::string_view key);
// "MemTotal:  24683652 kB" in bytes; also behind "Node 0 ".
std::optional<std::uint64_t> kibibytes_of(std::string_view text, std::string_view key);

// The number behind the last letter: "cpu12" → 12, "policy0" → 0.
std::optional<std::int64_t> trailing_number(std::string_view name);

} // namespace zeroth::sysman::parse
