// An init that does what none may.
#include <stdexcept>

#include "sdk/zeroth_plugin.h"

extern "C" ze_result_t sample_init(const zeroth_host*) { throw std::runtime_error("the sample is cross"); }
