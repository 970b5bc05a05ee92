// Variables of the specification and of the standard loader that take one of few words: a wrong word has no effect, so
// it is told, with the words that there are.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace zeroth::entry {

// One line for each variable with a word that means nothing. Variables that only some plugin reads are the plugin's.
std::vector<std::string> wrong_words(const std::function<const char*(const char*)>& environment);

// One line for each variable that asks for what Zeroth does not have, so that nobody believes it was there.
std::vector<std::string> words_without_effect(const std::function<const char*(const char*)>& environment);

} // namespace zeroth::entry
