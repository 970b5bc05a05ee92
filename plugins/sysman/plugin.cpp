// The overlay's descriptor, and how it takes its place in a driver's tables.
#include "info_logs/log_book.hpp"
#include "overlay/last_error.hpp"
#include "overlay/other_gpus.hpp"
#include "overlay/route.hpp"
#include "overlay/settings.hpp"
#include "overlay/site.hpp"

#include <sdk/overlay.hpp>
#include <sdk/plugin.hpp>
#include <sdk/zeroth_host_device.h>
#include <sdk/zeroth_sysman_drivers.h>
#include <zeroth/device/entry.hpp>

namespace zeroth::sysman {
namespace {

// The core calls this once sysman is asked for; it has called the drivers' own before.
ze_result_t ZE_APICALL init(zes_init_flags_t) noexcept {
  start();
  return ZE_RESULT_SUCCESS;
}

// The core lists drivers and starts sysman itself: these two have no object to be called on.
template <class Function> constexpr bool has_object = false;
template <class Handle, class... Rest>
constexpr bool has_object<ze_result_t(ZE_APICALL*)(Handle*, Rest...)> = std::is_class_v<Handle>;

template <auto Table, auto Slot, std::size_t Index> void route(const ze_handle_t& above) {
  auto& entry = overlay::slot<Table, Slot>(above);
  using Function = std::remove_reference_t<decltype(entry)>;
  if constexpr (has_object<Function>) entry = &Route<Table, Slot, Index, Function>::call;
}

#define ZEROTH_ROUTE_ze(table, entry, index)
#define ZEROTH_ROUTE_zet(table, entry, index)
#define ZEROTH_ROUTE_zer(table, entry, index)
#define ZEROTH_ROUTE_zes(table, entry, index)                                                                          \
  route<&zes_dditable_driver_t::table, &TableOf<&zes_dditable_driver_t::table>::entry, index>(above);
#define ZEROTH_SLOT(family, table, entry, function, index) ZEROTH_ROUTE_##family(table, entry, index)

template <class> struct Pointee;
template <class Table> struct Pointee<Table * zes_dditable_driver_t::*> { using Type = Table; };
template <auto Member> using TableOf = typename Pointee<decltype(Member)>::Type;

void route_all(const ze_handle_t& above) {
#include <zeroth/api/slots.inc>
}

void apply(const zeroth_overlay_target& target) {
  if (settings().fill == Fill::None) return;
  const bool host =
      overlay::find<zeroth_host_device>(target, ZEROTH_HOST_DEVICE, ZEROTH_HOST_DEVICE_VERSION) != nullptr;
  add_site(std::make_unique<Site>(target, host));
  route_all(*target.above);
  show_own_errors(target);
  target.above->pSysman->Global->pfnInit = init;
}

const void* find_interface(const char* name, std::uint32_t version) {
  static constexpr zeroth_sysman_drivers others{sizeof(zeroth_sysman_drivers), list_other_drivers};
  const bool known = std::string_view(name) == ZEROTH_SYSMAN_DRIVERS && version <= ZEROTH_SYSMAN_DRIVERS_VERSION;
  return known ? &others : nullptr;
}

void begin(const zeroth_host* host) {
  overlay::start(host);
  use_settings(read_settings(host));
  LogBook::instance().watch(host);
}

constexpr zeroth_option Options[] = {
    {"fill", "string", "missing", "which functions of a driver are replaced: missing, none or all"},
    {"root", "string", "", "a folder with a recorded machine (sys/, proc/) to read instead of this one"},
    {"nvml", "string", "libnvidia-ml.so.1", "the library that tells about NVIDIA GPUs; empty leaves it closed"},
    {"interval", "integer", "100", "milliseconds between two looks at readings while somebody listens for events"},
    {"extra_log", "string", "", "a file or pipe whose lines become records of the info log"},
};

// Programs never come this way: an overlay hands out no drivers.
class NoDriver final : public device::Entry {};

} // namespace
} // namespace zeroth::sysman

zeroth::device::Entry& zeroth::device::entry() {
  static zeroth::sysman::NoDriver& none = *new zeroth::sysman::NoDriver;
  return none;
}

ZEROTH_PLUGIN_EXPORT constinit const zeroth_plugin zeroth_plugin_descriptor =
    zeroth::sysman_overlay_plugin({.name = "sysman",
                                   .version = "0.1.0",
                                   .description = "readings and settings of this machine's devices",
                                   .options = zeroth::sysman::Options,
                                   .init = zeroth::starting<zeroth::sysman::begin>,
                                   .find_interface = zeroth::sysman::find_interface,
                                   .apply = zeroth::applying<zeroth::sysman::apply>});
