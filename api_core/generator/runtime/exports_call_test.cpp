// Each exported function reaches its own slot in the tables of its object, with every argument as it was given: whether
// it travels in a register, on the stack or as a structure by value.
#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>
#include <zeroth/api/tables.hpp>
#include <zeroth/api/walk.hpp>

namespace zeroth {
namespace {

int reached; // slot of the last call
bool intact; // its arguments were those given

// A value for the argument at a place, unlike that of any other place.
template <class T> T sample(std::size_t place) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<T>(0x7f0000001000 + 16 * place);
  else if constexpr (std::is_class_v<T>) {
    T value;
    std::memset(&value, 0xa0 + int(place), sizeof value);
    return value;
  } else
    return static_cast<T>(0x41424300 + place);
}

template <class T> bool is_sample(const T& value, std::size_t place) {
  const T expected = sample<T>(place);
  return std::memcmp(&value, &expected, sizeof value) == 0;
}

template <class Function, int Slot> struct Probe;
template <class R, class First, class... Rest, int Slot> struct Probe<R (*)(First, Rest...), Slot> {
  static R call(First, Rest... rest) {
    reached = Slot;
    [&]<std::size_t... Place>(std::index_sequence<Place...>) { intact = (is_sample(rest, Place + 1) && ...); }
    (std::index_sequence_for<Rest...>{});
    if constexpr (std::is_pointer_v<R>)
      return reinterpret_cast<R>(Slot + 1);
    else
      return static_cast<R>(Slot + 1);
  }
};
template <class R, int Slot> struct Probe<R (*)(), Slot> {
  static R call() { return R{}; }
};

DispatchTables probes() {
  DispatchTables tables{};
#define ZEROTH_SLOT(family, table, entry, function, index)                                                             \
  tables.family.table.entry = &Probe<decltype(tables.family.table.entry), index>::call;
#include <zeroth/api/slots.inc>
  return tables;
}

template <class R, class First, class... Rest> uint64_t call_with_samples(R (*function)(First, Rest...), void* handle) {
  if constexpr (std::is_pointer_v<First>) {
    return [&]<std::size_t... Place>(std::index_sequence<Place...>) {
      const R result = function(static_cast<First>(handle), sample<Rest>(Place + 1)...);
      if constexpr (std::is_pointer_v<R>)
        return reinterpret_cast<uintptr_t>(result);
      else
        return static_cast<uint64_t>(result);
    }
    (std::index_sequence_for<Rest...>{});
  } else
    return 0;
}
template <class R> uint64_t call_with_samples(R (*)(), void*) { return 0; }

// Functions with an object: the others have no tables to reach.
std::set<std::string> dispatched() {
  std::set<std::string> names;
  for (const WalkedFunction& function : walked_functions)
    if (function.has_receiver && function.family != Family::Runtime) names.insert(function.name);
  return names;
}

struct Call {
  const char* function;
  int slot;
  uint64_t (*call)(void* handle);
};
#define ZEROTH_SLOT(family, table, entry, function, index)                                                             \
  {#function, index, [](void* handle) { return call_with_samples(&::function, handle); }},
const Call calls[] = {
#include <zeroth/api/slots.inc>
};

TEST(ExportedFunction, ReachesItsSlotWithItsArgumentsIntact) {
  DispatchTables tables = probes();
  connect(tables);
  ze_handle_t object{&tables.core_container, &tables.tools_container, &tables.sysman_container,
                     &tables.runtime_container};
  const std::set<std::string> names = dispatched();
  EXPECT_GT(names.size(), 480u);
  for (const Call& call : calls) {
    if (!names.count(call.function)) continue;
    reached = -1;
    EXPECT_EQ(call.call(&object), uint64_t(call.slot + 1)) << call.function;
    EXPECT_EQ(reached, call.slot) << call.function;
    EXPECT_TRUE(intact) << call.function;
  }
}

} // namespace
} // namespace zeroth
