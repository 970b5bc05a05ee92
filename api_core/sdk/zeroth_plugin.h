/* What a Zeroth plugin is: the binary interface between the core and a plugin (C99, C++11).
 *
 * A plugin is a shared object that exports one data symbol, `zeroth_plugin_descriptor`. The core reads it before it
 * runs anything else of the plugin, refuses what it cannot serve with one log line and a reason (`zeroth doctor` shows
 * it), and then calls `init`. There are two kinds:
 *
 *   device    also exports the standard getters (zeGetDriverProcAddrTable, …) and so is a Level Zero driver of its own.
 * Under the upstream loader the descriptor is never read and `init` never called: everything must default sensibly.
 *   overlay   receives a driver's tables and replaces some of their slots (`apply`).
 *
 * Ownership: a pointer given to the other side stays the giver's. What the plugin gives (strings, descriptor,
 * interfaces) lives until the plugin is unloaded; what the host gives lives until `fini` has returned, if not said
 * otherwise. Threads: the host calls init, apply and fini of one plugin one at a time. A plugin may call any
 * `zeroth_host` function from any thread, until `fini` has returned. Slots and interfaces are called from any thread.
 * Errors: functions return the result code that describes the fault; none may let an exception out. The host still
 *   survives one out of init, apply or fini, and treats it as a failure. For a reason that a user understands call
 *   `zeroth_host::report` before returning the code.
 * Process end: the host never calls `fini` and never unloads a plugin while the process exits.
 *
 * Growth: structures grow at their end, and say their size in `struct_size`: test it (ZEROTH_HAS_MEMBER) before using a
 * member that is newer than the ABI version you were built for. What cannot grow raises ZEROTH_PLUGIN_ABI_VERSION.
 */
#ifndef ZEROTH_PLUGIN_H
#define ZEROTH_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>
#include <level_zero/zer_ddi.h>
#include <level_zero/zes_ddi.h>
#include <level_zero/zet_ddi.h>
/* last: it refers to the tables above */
#include <level_zero/ze_ddi_common.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ZEROTH_PLUGIN_ABI_VERSION 1u

/* True when the structure at `pointer`, which starts with or contains struct_size, is long enough to hold `member`. */
#define ZEROTH_HAS_MEMBER(type, pointer, member)                                                                       \
  ((pointer)->struct_size >= offsetof(type, member) + sizeof((pointer)->member))

typedef uint32_t zeroth_plugin_kind;
#define ZEROTH_PLUGIN_DEVICE 1u
#define ZEROTH_PLUGIN_OVERLAY 2u
/* An overlay of sysman functions alone. It is loaded and applied when sysman is first initialised, outside of all other
 * overlays, so that programs which never ask for sysman do not wait for it. */
#define ZEROTH_PLUGIN_SYSMAN_OVERLAY 3u

typedef int32_t zeroth_log_level;
#define ZEROTH_LOG_OFF 0
#define ZEROTH_LOG_ERROR 1
#define ZEROTH_LOG_WARNING 2
#define ZEROTH_LOG_INFO 3
#define ZEROTH_LOG_DEBUG 4
#define ZEROTH_LOG_TRACE 5

/* One option that a plugin understands, so that the host can check a configuration, name the file and line of a wrong
 * key or value, and print help. `type` is one of "boolean", "integer", "number", "string", "size" (bytes: 64, 16 KiB, 2
 * GiB), "list" or "map". `default_text` and `help` are for people. */
typedef struct zeroth_option {
  const char* name;
  const char* type;
  const char* default_text;
  const char* help;
} zeroth_option;

/* What the host offers to one plugin. Constant; one per configured plugin. */
typedef struct zeroth_host zeroth_host;
struct zeroth_host {
  uint32_t struct_size;
  uint32_t abi_version; /* the host's ZEROTH_PLUGIN_ABI_VERSION */
  uint32_t api_version; /* ze_api_version_t of the host's tables */

  /* Highest level that the log keeps or that may be watched (see watch_log); do not build lines above it. */
  zeroth_log_level log_level;

  /* The host's own; not for the plugin. */
  void* host_data;

  /* The name that the configuration gives to this plugin ("cpu"), and the absolute path of its file. */
  const char* name;
  const char* path;

  /* Number of this overlay in the order of the configuration, from 0: the index that zeroth_below uses. 0 in a device.
   */
  uint32_t overlay_number;
  uint32_t reserved;

  /* This plugin's options from the configuration as one JSON object; "{}" when there are none. */
  const char* options_json;

  /* One log line. `text` is `size` bytes without a newline, copied before return. Any thread. */
  void (*log)(const zeroth_host* host, zeroth_log_level level, const char* text, size_t size);

  /* One option as its scalar text; null when it is not set or is a list or a map. Keys of nested maps are joined by
   * dots, list items are numbered: "threads", "devices.0.name". Any thread; the text lives as long as the host. */
  const char* (*option)(const zeroth_host* host, const char* key);

  /* Why this plugin cannot serve, and what the user can do about it (may be null). The last report before a failing
   * result is what the log and `zeroth doctor` show. Only inside init and apply; both texts are copied. */
  void (*report)(const zeroth_host* host, const char* reason, const char* advice);

  /* From now on `line` gets each line of the log up to `most`, the core's and all plugins', whether the log keeps it or
   * not: the core's as they are, a plugin's as "NAME: text". Called on the thread that logs, which may hold locks: be
   * short, call no function of the API. `text` is `size` bytes, valid for the call. Ends when the plugin does. One
   * watcher for each plugin; the last call counts. Levels above ZEROTH_LOG_WARNING are not sure to be seen. Newer than
   * version 1's first hosts: test with ZEROTH_HAS_MEMBER. */
  void (*watch_log)(const zeroth_host* host, zeroth_log_level most,
                    void (*line)(void* context, zeroth_log_level level, const char* text, size_t size), void* context);
};

/* What an overlay's `apply` gets, once for each driver that it is configured for, before any handle of that driver
 * reaches a program. Valid for the duration of the call, except the tables, which live as long as the process. */
typedef struct zeroth_overlay_target {
  uint32_t struct_size;
  uint32_t api_version; /* ze_api_version_t that bounds the tables: no entry of a later version exists */

  /* Name of the plugin whose driver this is. */
  const char* driver_name;

  /* The tables under this overlay: what its functions call on. Every slot is filled. */
  const ze_handle_t* below;

  /* A copy of `below`, for the overlay to write its own functions into; becomes the tables of all handles of the
   * driver. Written only inside `apply`. The host owns both. */
  ze_handle_t* above;

  /* A capability interface ("command_walk", "command_patch", …; see zeroth_command.h) of the driver, or of an overlay
   * under this one, at least of `version`; null when none offers it. */
  const void* (*find_interface)(const struct zeroth_overlay_target* target, const char* name, uint32_t version);

  /* The host's own; not for the plugin. */
  void* host_data;
} zeroth_overlay_target;

/* The descriptor. Constant data: no initialiser of it may need code to run. */
typedef struct zeroth_plugin {
  uint32_t abi_version; /* ZEROTH_PLUGIN_ABI_VERSION */
  uint32_t struct_size; /* sizeof(zeroth_plugin) */
  zeroth_plugin_kind kind;
  uint32_t api_version; /* ze_api_version_t of the headers that the plugin was built with */

  const char* name;        /* "cpu": as the configuration names it */
  const char* version;     /* "1.2.3" */
  const char* description; /* one line; may be null */

  /* Names of the interfaces and extensions that it brings, for information. */
  const char* const* provides;
  uint32_t provides_count;

  /* The options that it understands; null when the host shall not check them. */
  uint32_t option_count;
  const zeroth_option* options;

  /* Gets ready to serve; must be quick (discovery and compilers come lazily). Any code but ZE_RESULT_SUCCESS makes the
   * host drop the plugin: then fini is not called. May be null. */
  ze_result_t (*init)(const zeroth_host* host);

  /* Ends what init began; no slot or interface of the plugin is called after it. May be null. */
  void (*fini)(const zeroth_host* host);

  /* A capability interface by name, at least of `version`, or null. May be null. */
  const void* (*find_interface)(const char* name, uint32_t version);

  /* Overlays only. A failing code leaves the driver without this overlay. */
  ze_result_t (*apply)(const zeroth_host* host, const zeroth_overlay_target* target);
} zeroth_plugin;

#define ZEROTH_PLUGIN_SYMBOL "zeroth_plugin_descriptor"

/* Puts the descriptor under its name where the host finds it: ZEROTH_PLUGIN_EXPORT const zeroth_plugin
 * zeroth_plugin_descriptor = {…}; */
#if defined(__cplusplus)
#define ZEROTH_PLUGIN_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define ZEROTH_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

/* How a replaced function finds the tables under its overlay. The tables that the host composes for a driver are one
 * block that starts with `RTASBuilder`, the first of all tables, and stands right behind one pointer to its
 * composition: */
typedef struct zeroth_composition {
  uint32_t struct_size;
  uint32_t overlay_count;
  /* By overlay number: the tables under that overlay; null where it is not part of this driver. */
  const ze_handle_t* const* below;
} zeroth_composition;

/* The tables under the calling overlay for the object `handle` of any type: how a replaced function calls on. A few
 * dependent loads, no lock. Only for handles that arrived through a slot which this overlay replaced. */
static inline const ze_handle_t* zeroth_below(const zeroth_host* host, const void* handle) {
  const ze_handle_t* prefix = (const ze_handle_t*)handle;
  const ze_dditable_driver_t* core = __atomic_load_n(&prefix->pCore, __ATOMIC_RELAXED);
  const void* first_table = __atomic_load_n(&core->RTASBuilder, __ATOMIC_RELAXED);
  return ((const zeroth_composition* const*)first_table)[-1]->below[host->overlay_number];
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
