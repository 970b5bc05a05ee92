// What all parts of a device have in common: a description that a source found (parts/found.hpp), and the prefix of
// their device's handle, through which the calls of programs find their way here.
//
// A part is created once, when its device is first looked into, and never destroyed. Methods may be called by any
// number of threads at once; what they throw becomes the code and the last-error text (generated glue).
#pragma once

#include "../parts/arena.hpp"
#include "../parts/found.hpp"

#include <sdk/error.hpp>
#include <zeroth/device/handle.hpp>

#include <utility>

namespace zeroth::sysman {

template <class Interface, class Source> class Part : public Interface, public InArena {
public:
  Part(const ze_handle_t& prefix, Source source) : source_(std::move(source)) {
    static_cast<ze_handle_t&>(*this) = prefix;
  }
  const Source& source() const { return source_; }

protected:
  const Source source_;
};

// Something that may raise events. The hub (events/hub.hpp) asks one at a time.
class Watched {
public:
  virtual ~Watched() = default;
  // Those of the wanted events that happened since the last question. Never throws: what cannot be read does not
  // happen.
  virtual zes_event_type_flags_t happened(zes_event_type_flags_t wanted) noexcept = 0;
};

// The value, or "not supported" when the machine does not tell it.
template <class T> T known(const Reader<T>& reader, const char* what) {
  if (!reader) throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "this machine does not tell {}", what);
  return reader();
}

// The value, or the one that the specification reserves for "not known".
template <class T> T known_or(const Reader<T>& reader, T otherwise) noexcept {
  try {
    if (reader) return reader();
  } catch (...) { // the reading that matters in a structure is read by known()
  }
  return otherwise;
}

template <class Call, class... Values> void change(const Call& setter, const char* what, Values... values) {
  if (!setter) throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "{} cannot be set on this machine", what);
  setter(values...);
}

} // namespace zeroth::sysman
