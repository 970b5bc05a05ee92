// Tables for what is not there: every slot of unsupported_tables() refuses, every slot of device_lost_tables() answers
// that the device is lost. Both are constant data, usable before main and after fork.
#include <atomic>
#include <iterator>
#include <limits>
#include <type_traits>
#include <zeroth/api/refuse.hpp>
#include <zeroth/api/tables.hpp>

namespace zeroth {
namespace {

struct Refusal {
  const char* function;
  ze_result_t code;
};
constexpr Refusal refusals[] = {
#include <zeroth/api/refusals.inc>
};
std::atomic<bool> noted[std::size(refusals)];

/// What a function without a result code returns when it fails: no object, or the largest number.
template <class R> constexpr R failure_value() {
  if constexpr (std::is_pointer_v<R>)
    return nullptr;
  else
    return std::numeric_limits<R>::max();
}

template <class Function, uint32_t Slot> struct Unsupported;
template <class R, class... Arguments, uint32_t Slot> struct Unsupported<R (*)(Arguments...), Slot> {
  static R ZE_APICALL call(Arguments...) {
    const ze_result_t code = refuse(Slot);
    if constexpr (std::is_same_v<R, ze_result_t>)
      return code;
    else
      return failure_value<R>();
  }
};

template <class Function> struct DeviceLost;
template <class R, class... Arguments> struct DeviceLost<R (*)(Arguments...)> {
  static R ZE_APICALL call(Arguments...) {
    if constexpr (std::is_same_v<R, ze_result_t>)
      return ZE_RESULT_ERROR_DEVICE_LOST;
    else
      return failure_value<R>();
  }
};

constexpr DispatchTables unsupported(DispatchTables& self) {
  DispatchTables tables{};
#define ZEROTH_SLOT(family, table, entry, function, index)                                                             \
  tables.family.table.entry = &Unsupported<decltype(tables.family.table.entry), index>::call;
#define ZEROTH_TABLE(family, name, container) tables.container.name = &self.family.name;
#include <zeroth/api/slots.inc>
  set_versions(tables);
  return tables;
}

constexpr DispatchTables device_lost(DispatchTables& self) {
  DispatchTables tables{};
#define ZEROTH_SLOT(family, table, entry, function, index)                                                             \
  tables.family.table.entry = &DeviceLost<decltype(tables.family.table.entry)>::call;
#define ZEROTH_TABLE(family, name, container) tables.container.name = &self.family.name;
#include <zeroth/api/slots.inc>
  set_versions(tables);
  return tables;
}

constinit DispatchTables all_unsupported = unsupported(all_unsupported);
constinit DispatchTables all_device_lost = device_lost(all_device_lost);

} // namespace

ze_result_t refuse(uint32_t slot) noexcept {
  if (!noted[slot].exchange(true, std::memory_order_relaxed)) note_unsupported(refusals[slot].function);
  return refusals[slot].code;
}

const DispatchTables& unsupported_tables() { return all_unsupported; }
const DispatchTables& device_lost_tables() { return all_device_lost; }

} // namespace zeroth
