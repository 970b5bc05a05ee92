/* Two capability interfaces over recorded commands (C99, C++11): what devices may offer, and overlays ask for by name.
 *
 *   command_walk    iterate the commands of a command list or graph as structures of their parameters
 *   command_patch   change one recorded command of a closed list in O(1)
 *
 *     const zeroth_command_walk* walk = (const zeroth_command_walk*)
 *         target->find_interface(target, ZEROTH_COMMAND_WALK, ZEROTH_COMMAND_WALK_VERSION);   // in apply; null: not
 * offered
 *
 * A device returns its constant table of functions from zeroth_plugin::find_interface. A later version adds functions
 * at the end of the table and serves all older versions.
 *
 * Handles: those of the program, that is, of the tables the overlay replaces.
 * Ownership: what a walk shows (parameters, arrays, argument values) belongs to the device and is valid for the call of
 *   the visitor; what a patch is given is copied before it returns.
 * Threads: as for the list or graph itself: no other thread may append to, close, reset, patch, execute or destroy it
 *   meanwhile. Different lists are independent.
 * Errors: result codes of the API; nothing is thrown. A patch that fails leaves the command as it was.
 */
#ifndef ZEROTH_COMMAND_H
#define ZEROTH_COMMAND_H

#include <zeroth/api/commands.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Identity of a command within its list or graph: stays the same until the list is reset or the object destroyed. */
typedef uint64_t zeroth_command_id;

/* One argument as it was when the launch was recorded. `value` is null for a local memory argument of `size` bytes. */
typedef struct zeroth_recorded_argument {
  size_t size;
  const void* value;
} zeroth_recorded_argument;

/* A kernel's state as it was when the launch was recorded; the handle itself may have got other arguments since. */
typedef struct zeroth_recorded_kernel {
  uint32_t struct_size;
  uint32_t argument_count;
  ze_kernel_handle_t kernel;
  const zeroth_recorded_argument* arguments;
  uint32_t group_size[3];
  uint32_t global_offset[3];
} zeroth_recorded_kernel;

/* One recorded command. */
typedef struct zeroth_command {
  uint32_t struct_size;
  uint32_t command;     /* a zeroth_command_code: the function that recorded it */
  zeroth_command_id id; /* for command_patch */
  const void*
      params; /* the zeroth_append_… structure of that function; pointers in it lead to copies of what was given */
  /* The kernels of a launch: one, or as many as the function names; none for other commands. */
  uint32_t kernel_count;
  uint32_t reserved;
  const zeroth_recorded_kernel* kernels;
} zeroth_command;

/* Called once for each command; a code other than ZE_RESULT_SUCCESS ends the walk, which returns it. Must not let an
 * exception out. */
typedef ze_result_t (*zeroth_command_visitor)(void* user, const zeroth_command* command);

#define ZEROTH_COMMAND_WALK "command_walk"
#define ZEROTH_COMMAND_WALK_VERSION 1u

typedef struct zeroth_command_walk {
  uint32_t struct_size;
  uint32_t version;

  /* The commands of a regular list, open or closed, in the order of recording. ZE_RESULT_ERROR_INVALID_ARGUMENT for an
   * immediate list, which records nothing; ZE_RESULT_ERROR_UNSUPPORTED_FEATURE for one whose recording cannot be read
   * back. */
  ze_result_t (*walk_list)(ze_command_list_handle_t list, zeroth_command_visitor visitor, void* user);

  /* The commands of a graph whose capture has ended, each after all that it depends on; the lists that they were
   * captured from are named by their parameters. ZE_RESULT_ERROR_INVALID_GRAPH while it is being captured. */
  ze_result_t (*walk_graph)(ze_graph_handle_t graph, zeroth_command_visitor visitor, void* user);
} zeroth_command_walk;

#define ZEROTH_COMMAND_PATCH "command_patch"
#define ZEROTH_COMMAND_PATCH_VERSION 1u

/* All functions but last_command want a closed list that is not executing, cost O(1) whatever the length of the list,
 * and take effect for the next execution. ZE_RESULT_ERROR_INVALID_ARGUMENT: no such command, or not of the kind that
 * has the property. */
typedef struct zeroth_command_patch {
  uint32_t struct_size;
  uint32_t version;

  /* The command that was appended last. */
  ze_result_t (*last_command)(ze_command_list_handle_t list, zeroth_command_id* id);

  /* As zeKernelSetArgumentValue, for a launch; the size must be the argument's own. */
  ze_result_t (*set_argument)(ze_command_list_handle_t list, zeroth_command_id id, uint32_t index, size_t size,
                              const void* value);
  ze_result_t (*set_group_count)(ze_command_list_handle_t list, zeroth_command_id id, const ze_group_count_t* count);
  ze_result_t (*set_group_size)(ze_command_list_handle_t list, zeroth_command_id id, const uint32_t size[3]);
  ze_result_t (*set_global_offset)(ze_command_list_handle_t list, zeroth_command_id id, const uint32_t offset[3]);

  /* Null: none from now on, for a command that was recorded with one. */
  ze_result_t (*set_signal_event)(ze_command_list_handle_t list, zeroth_command_id id, ze_event_handle_t event);
  /* As many as the command was recorded with. */
  ze_result_t (*set_wait_events)(ze_command_list_handle_t list, zeroth_command_id id, uint32_t count,
                                 const ze_event_handle_t* events);

  /* Another kernel of the same device; its arguments are unset until set_argument was called for each of them, its
   * group size is the one of the old kernel. */
  ze_result_t (*set_kernel)(ze_command_list_handle_t list, zeroth_command_id id, ze_kernel_handle_t kernel);
} zeroth_command_patch;

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
