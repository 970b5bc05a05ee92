// The references of accuracy.hpp for many arguments at once: the C library's vector functions, which are within 4 units
// in the last place of double precision. Good enough to say which arguments of a single-precision function are worth a
// closer look; fast_references_test holds them to relative errors below 2^-40.
#pragma once

#include <cstddef>
#include <string_view>

namespace zeroth::accuracy {

using ManyReferences = void (*)(const double* arguments, double* results, size_t count);

// For a function's name as the table of accuracy.hpp has it ("half_exp" is that of "exp"); null: there is none.
ManyReferences fast_reference(std::string_view name);

} // namespace zeroth::accuracy
