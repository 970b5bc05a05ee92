// Makes a program that shows a fault smaller, as long as it still shows it.
#pragma once

#include "program.hpp"

#include <functional>

namespace zeroth::random_programs {

// `shows` is asked about each smaller program; true: it is worth keeping.
Program reduce(Program program, const std::function<bool(const Program&)>& shows);

} // namespace zeroth::random_programs
