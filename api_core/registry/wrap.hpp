// Wrapping: objects of a driver whose handles have no prefix are seen by programs as small objects of the core.
//
// The wrapper of an object is the same each time the driver hands the object out, and lives until it is released.
// Threading: any thread. Launch paths only read wrappers; one lock per process guards handing out and releasing.
#pragma once

#include <registry/table_set.hpp>

namespace zeroth::registry {

class Backend;

// Puts wrapping functions in place of the driver's own, where it has them.
void wrap_in(TableSet& layer);

// The wrapper of a driver's object. May throw std::bad_alloc.
void* wrap(Backend& backend, void* own);

template <class Handle> Handle wrap_driver(Backend& backend, Handle own) {
  return reinterpret_cast<Handle>(wrap(backend, own));
}

// The driver's object behind a handle of any kind: itself unless it is a wrapper.
void* driver_object(void* handle);

// Around fork(), see entry/fork.cpp.
void lock_wrappers();
void unlock_wrappers();

} // namespace zeroth::registry
