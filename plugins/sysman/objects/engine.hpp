// A group of engines with its activity counter.
#pragma once

#include "part.hpp"

#include <zeroth/device/sysman/engine.hpp>

namespace zeroth::sysman {

class EngineGroup final : public Part<device::sysman::Engine, EngineSource> {
public:
  using Part::Part;
  ze_result_t get_properties(zes_engine_properties_t* properties) override;
  ze_result_t get_activity(zes_engine_stats_t* stats) override;
  ze_result_t get_activity_ext(uint32_t* count, zes_engine_stats_t* stats) override;
};

} // namespace zeroth::sysman
