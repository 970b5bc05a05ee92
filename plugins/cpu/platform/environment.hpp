// The environment variables that the device and its kernel compiler read, as far as they take few words: what is none
// of them has no effect, and is told. Any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace zeroth::cpu {

// "0,1.0": numbers of devices, and of their parts.
bool is_affinity_mask(std::string_view text);

// One line for each variable that has no effect as it is.
std::vector<std::string> words_not_taken(const std::function<const char*(const char*)>& environment);

// Logs them, once.
void tell_words_not_taken();

} // namespace zeroth::cpu
