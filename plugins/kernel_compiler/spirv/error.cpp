#include "error.hpp"

namespace zeroth::spirv {

ReadError::~ReadError() = default;

} // namespace zeroth::spirv
