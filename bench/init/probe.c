/* zeroth-bench-init LOADER: opens a Level Zero loader and initialises it as a new process would; prints how long
 * opening, zeInit, the first enumeration of drivers and devices and one more zeInit took, in nanoseconds. */
#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>

#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const long long start = now();
  void* loader = dlopen(argv[1], RTLD_NOW);
  if (!loader) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  ze_pfnInit_t init = (ze_pfnInit_t)dlsym(loader, "zeInit");
  ze_pfnDriverGet_t driver_get = (ze_pfnDriverGet_t)dlsym(loader, "zeDriverGet");
  ze_pfnDeviceGet_t device_get = (ze_pfnDeviceGet_t)dlsym(loader, "zeDeviceGet");
  const long long opened = now();
  const ze_result_t result = init(0);
  const long long ready = now();
  uint32_t count = 1, devices = 1;
  ze_driver_handle_t driver = NULL;
  ze_device_handle_t device = NULL;
  if (result != ZE_RESULT_SUCCESS || driver_get(&count, &driver) != ZE_RESULT_SUCCESS || !driver) return 1;
  const long long listed = now();
  if (device_get(driver, &devices, &device) != ZE_RESULT_SUCCESS || !device) return 1;
  const long long found = now();
  if (init(0) != ZE_RESULT_SUCCESS) return 1;
  const long long again = now();
  printf("{\"open\": %lld, \"zeInit\": %lld, \"zeDriverGet\": %lld, \"zeDeviceGet\": %lld, \"zeInit again\": %lld}\n",
         opened - start, ready - opened, listed - ready, found - listed, again - found);
  return 0;
}
