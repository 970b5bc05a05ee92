#include "command_interfaces.hpp"

#include "recorded_list.hpp"

#include <sdk/error.hpp>
#include <sdk/zeroth_host_device.h>

#include <cstring>

namespace zeroth::cpu {

namespace {

RecordedList& recorded(ze_command_list_handle_t handle) {
  if (!handle) throw Error(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, std::string("the command list is null"));
  auto& list = *from_handle<CpuCommandList>(handle);
  if (list.immediate()) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("an immediate list records nothing"));
  if (RecordedList* found = list.recorded()) return *found;
  throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, std::string("the list was created to be executed only"))
      .advise("create it cloneable, mutable or to be visited");
}

// Codes instead of exceptions, as at every C edge.
template <class Work> ze_result_t answer(const char* name, Work work) noexcept try { return work(); } catch (...) {
  return record_current_exception(name);
}
template <class Change> ze_result_t change(const char* name, ze_command_list_handle_t list, Change change) noexcept {
  return answer(name, [&] {
    change(recorded(list));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t walk_list(ze_command_list_handle_t list, zeroth_command_visitor visitor, void* user) {
  return answer("walk_list", [&] { return recorded(list).walk(visitor, user); });
}

ze_result_t walk_graph(ze_graph_handle_t, zeroth_command_visitor, void*) {
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE; // no graph of this device can exist
}

ze_result_t last_command(ze_command_list_handle_t list, zeroth_command_id* id) {
  return change("last_command", list, [&](RecordedList& of) { *id = of.last_command(); });
}
ze_result_t set_argument(ze_command_list_handle_t list, zeroth_command_id id, uint32_t index, size_t size,
                         const void* value) {
  return change("set_argument", list, [&](RecordedList& of) { of.set_argument(id, index, size, value); });
}
ze_result_t set_group_count(ze_command_list_handle_t list, zeroth_command_id id, const ze_group_count_t* count) {
  return change("set_group_count", list, [&](RecordedList& of) { of.set_group_count(id, *count); });
}
ze_result_t set_group_size(ze_command_list_handle_t list, zeroth_command_id id, const uint32_t size[3]) {
  return change("set_group_size", list, [&](RecordedList& of) { of.set_group_size(id, size); });
}
ze_result_t set_global_offset(ze_command_list_handle_t list, zeroth_command_id id, const uint32_t offset[3]) {
  return change("set_global_offset", list, [&](RecordedList& of) { of.set_global_offset(id, offset); });
}
ze_result_t set_signal_event(ze_command_list_handle_t list, zeroth_command_id id, ze_event_handle_t event) {
  return change("set_signal_event", list, [&](RecordedList& of) { of.set_signal_event(id, event); });
}
ze_result_t set_wait_events(ze_command_list_handle_t list, zeroth_command_id id, uint32_t count,
                            const ze_event_handle_t* events) {
  return change("set_wait_events", list, [&](RecordedList& of) { of.set_wait_events(id, count, events); });
}
ze_result_t set_kernel(ze_command_list_handle_t list, zeroth_command_id id, ze_kernel_handle_t kernel) {
  return change("set_kernel", list, [&](RecordedList& of) { of.set_kernel(id, kernel); });
}

constexpr zeroth_command_walk Walk{sizeof(zeroth_command_walk), ZEROTH_COMMAND_WALK_VERSION, &walk_list, &walk_graph};
constexpr zeroth_command_patch Patch{sizeof(zeroth_command_patch),
                                     ZEROTH_COMMAND_PATCH_VERSION,
                                     &last_command,
                                     &set_argument,
                                     &set_group_count,
                                     &set_group_size,
                                     &set_global_offset,
                                     &set_signal_event,
                                     &set_wait_events,
                                     &set_kernel};

constexpr zeroth_host_device HostDevice{sizeof(zeroth_host_device)}; // overlays that know the host know this device

} // namespace

const void* find_interface(const char* name, std::uint32_t version) {
  if (std::strcmp(name, ZEROTH_COMMAND_WALK) == 0 && version <= ZEROTH_COMMAND_WALK_VERSION) return &Walk;
  if (std::strcmp(name, ZEROTH_COMMAND_PATCH) == 0 && version <= ZEROTH_COMMAND_PATCH_VERSION) return &Patch;
  if (std::strcmp(name, ZEROTH_HOST_DEVICE) == 0 && version <= ZEROTH_HOST_DEVICE_VERSION) return &HostDevice;
  return nullptr;
}

} // namespace zeroth::cpu
