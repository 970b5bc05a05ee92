#include "topology.hpp"

#include <hwloc.h>

namespace zeroth::cpu {

namespace {

Topology discover() {
  Topology found;
  hwloc_topology_t machine;
  if (hwloc_topology_init(&machine) != 0) return found;
  if (hwloc_topology_load(machine) == 0) {
    for (hwloc_obj_type_t type : {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE}) {
      CacheFacts cache;
      for (hwloc_obj_t obj = nullptr; (obj = hwloc_get_next_obj_by_type(machine, type, obj));) {
        cache.level = obj->attr->cache.depth;
        cache.bytes += obj->attr->cache.size;
        cache.line = obj->attr->cache.linesize;
      }
      if (cache.bytes) found.caches.push_back(cache);
    }
    const int nodes = hwloc_get_nbobjs_by_type(machine, HWLOC_OBJ_NUMANODE);
    if (nodes > 1) found.numa_nodes = static_cast<unsigned>(nodes);
  }
  hwloc_topology_destroy(machine);
  return found;
}

} // namespace

const Topology& topology() {
  static const Topology& found = *new Topology(discover());
  return found;
}

} // namespace zeroth::cpu
