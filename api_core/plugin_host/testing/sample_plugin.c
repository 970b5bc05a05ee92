/* One source for every kind of plugin that the tests need; the build picks a kind by macros. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdk/zeroth_plugin.h"

#ifndef SAMPLE_ABI
#define SAMPLE_ABI ZEROTH_PLUGIN_ABI_VERSION
#endif
#ifndef SAMPLE_SIZE
#define SAMPLE_SIZE sizeof(zeroth_plugin)
#endif
#ifndef SAMPLE_KIND
#define SAMPLE_KIND ZEROTH_PLUGIN_DEVICE
#endif
#ifndef SAMPLE_API
#define SAMPLE_API ZE_API_VERSION_CURRENT
#endif
#ifndef SAMPLE_DEVICES
#define SAMPLE_DEVICES 1
#endif

#define EXPORT __attribute__((visibility("default")))

/* Proves that code of the file ran. */
__attribute__((constructor)) static void note_construction(void) { setenv("ZEROTH_TEST_RAN", "1", 1); }

#ifdef SAMPLE_UNDEFINED
extern int zeroth_test_symbol_that_nobody_has(void);
EXPORT int use_it(void) { return zeroth_test_symbol_that_nobody_has(); }
#endif

#ifdef SAMPLE_NEEDS_LIBRARY
extern int zeroth_test_gone(void);
EXPORT int use_it(void) { return zeroth_test_gone(); }
#endif

#ifndef SAMPLE_NO_DESCRIPTOR

/* Its own copy in each instance of the file. */
EXPORT char sample_threads[32] = "unset";

#ifdef SAMPLE_INIT_THROWS
ze_result_t sample_init(const zeroth_host* host); /* in C++ */
#else
static ze_result_t sample_init(const zeroth_host* host) {
  const char* threads = host->option(host, "threads");
  snprintf(sample_threads, sizeof sample_threads, "%s", threads ? threads : "none");
  host->log(host, ZEROTH_LOG_INFO, "init of a sample", strlen("init of a sample"));
#ifdef SAMPLE_INIT_FAILS
  host->report(host, "the sample has no fuel", "fill it up");
  return ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE;
#else
  return ZE_RESULT_SUCCESS;
#endif
}
#endif

static void sample_fini(const zeroth_host* host) { fprintf(stderr, "fini of %s\n", host->name); }

#ifdef SAMPLE_REFUSES
static ze_result_t sample_apply(const zeroth_host* host, const zeroth_overlay_target* target) {
  (void)target;
  host->report(host, "the sample is choosy", "be nice to it");
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}
#else
#define sample_apply NULL
#endif

static const int sample_interface = 7;
static const void* sample_find(const char* name, uint32_t version) {
  return strcmp(name, "sample") == 0 && version <= 1 ? &sample_interface : NULL;
}

static const zeroth_option sample_options[] = {
    {"threads", "integer", "1", "how many"}, {"memory", "size", "1 MiB", "how much"}, {"name", "string", "", "which"}};

ZEROTH_PLUGIN_EXPORT const zeroth_plugin zeroth_plugin_descriptor = {
    SAMPLE_ABI, SAMPLE_SIZE, SAMPLE_KIND,    SAMPLE_API,  "sample",    "1.2.3",     "for tests",  NULL,
    0,          3,           sample_options, sample_init, sample_fini, sample_find, sample_apply,
};

#endif

#ifdef SAMPLE_DRIVER
/* The least that a driver must have to be asked for its devices. */
static ze_result_t ZE_APICALL driver_init(ze_init_flags_t flags) { return (void)flags, ZE_RESULT_SUCCESS; }
static ze_result_t ZE_APICALL driver_get(uint32_t* count, ze_driver_handle_t* drivers) {
  static ze_handle_t driver;
  if (drivers && *count > 0) drivers[0] = (ze_driver_handle_t)&driver;
  *count = 1;
  return ZE_RESULT_SUCCESS;
}
static ze_result_t ZE_APICALL device_get(ze_driver_handle_t driver, uint32_t* count, ze_device_handle_t* devices) {
  (void)driver, (void)devices;
  *count = SAMPLE_DEVICES;
  return ZE_RESULT_SUCCESS;
}
EXPORT ze_result_t ZE_APICALL zeGetGlobalProcAddrTable(ze_api_version_t version, ze_global_dditable_t* table) {
  return (void)version, table->pfnInit = driver_init, ZE_RESULT_SUCCESS;
}
EXPORT ze_result_t ZE_APICALL zeGetDriverProcAddrTable(ze_api_version_t version, ze_driver_dditable_t* table) {
  return (void)version, table->pfnGet = driver_get, ZE_RESULT_SUCCESS;
}
EXPORT ze_result_t ZE_APICALL zeGetDeviceProcAddrTable(ze_api_version_t version, ze_device_dditable_t* table) {
  return (void)version, table->pfnGet = device_get, ZE_RESULT_SUCCESS;
}
#endif
