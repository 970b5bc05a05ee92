#include "topology.hpp"

#include <dlfcn.h>
#include <hwloc.h>

namespace zeroth::cpu {

namespace {

// The library is opened on the first question: it brings half a millisecond of further libraries along.
class Library {
public:
  Library() : handle_(dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL)) {}
  template <class Function> Function* function(const char* name) const {
    return handle_ ? reinterpret_cast<Function*>(dlsym(handle_, name)) : nullptr;
  }

private:
  void* handle_; // stays open: it is needed once, and closing it is not worth the risk
};

Topology discover() {
  Topology found;
  const Library library;
  auto* init = library.function<decltype(hwloc_topology_init)>("hwloc_topology_init");
  auto* load = library.function<decltype(hwloc_topology_load)>("hwloc_topology_load");
  auto* destroy = library.function<decltype(hwloc_topology_destroy)>("hwloc_topology_destroy");
  auto* depth_of = library.function<decltype(hwloc_get_type_depth)>("hwloc_get_type_depth");
  auto* count_at = library.function<decltype(hwloc_get_nbobjs_by_depth)>("hwloc_get_nbobjs_by_depth");
  auto* object_at = library.function<decltype(hwloc_get_obj_by_depth)>("hwloc_get_obj_by_depth");
  if (!init || !load || !destroy || !depth_of || !count_at || !object_at) return found;
  hwloc_topology_t machine;
  if (init(&machine) != 0) return found;
  if (load(machine) == 0) {
    for (hwloc_obj_type_t type : {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE}) {
      const int depth = depth_of(machine, type);
      if (depth < 0) continue;
      CacheFacts cache;
      for (unsigned i = 0; i < count_at(machine, depth); ++i) {
        const auto& attributes = object_at(machine, depth, i)->attr->cache;
        cache.level = attributes.depth;
        cache.bytes += attributes.size;
        cache.line = attributes.linesize;
      }
      if (cache.bytes) found.caches.push_back(cache);
    }
    if (const unsigned nodes = count_at(machine, HWLOC_TYPE_DEPTH_NUMANODE); nodes > 1) found.numa_nodes = nodes;
  }
  destroy(machine);
  return found;
}

} // namespace

const Topology& topology() {
  static const Topology& found = *new Topology(discover());
  return found;
}

} // namespace zeroth::cpu
