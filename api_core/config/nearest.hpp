// The word that was probably meant: for messages about unknown keys, values, options and plugin names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace zeroth {

// Number of letters to insert, delete, replace or swap with their neighbour to get from `a` to `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `word`, the first of equals; empty when none is near enough to be a slip of the hand.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

// " (did you mean `threads`?)" for the nearest, else " (one of: a, b, c)" or nothing when there are no candidates.
std::string suggestion(std::string_view word, const std::vector<std::string_view>& candidates);

} // namespace zeroth
