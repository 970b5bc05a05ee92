#include "engine.hpp"

#include "../parts/chain.hpp"
#include "../parts/listing.hpp"

namespace zeroth::sysman {

ze_result_t EngineGroup::get_properties(zes_engine_properties_t* properties) {
  properties->type = source_.type;
  properties->onSubdevice = false;
  properties->subdeviceId = 0;
  if (auto* more = in_chain<zes_engine_ext_properties_t>(properties->pNext, ZES_STRUCTURE_TYPE_ENGINE_EXT_PROPERTIES))
    more->countOfVirtualFunctionInstance = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t EngineGroup::get_activity(zes_engine_stats_t* stats) {
  *stats = known(source_.activity, "the activity of this engine");
  return ZE_RESULT_SUCCESS;
}

// One entry for the physical function; there are no virtual ones.
ze_result_t EngineGroup::get_activity_ext(uint32_t* count, zes_engine_stats_t* stats) {
  hand_out(1, count, stats, [&](zes_engine_stats_t& item, uint32_t) { get_activity(&item); });
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::sysman
