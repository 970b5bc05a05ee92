#include "compute.h"

#include <level_zero/loader/ze_loader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double now_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void compute_check(ze_result_t result, const char* call) {
  if (result == ZE_RESULT_SUCCESS) return;
  fprintf(stderr, "%s failed with 0x%x\n", call, (unsigned)result);
  exit(1);
}

static int first_device(compute_t* compute) {
  uint32_t drivers = 0;
  CHECK(zeDriverGet(&drivers, NULL));
  ze_driver_handle_t* handles = calloc(drivers + 1, sizeof *handles);
  CHECK(zeDriverGet(&drivers, handles));
  uint32_t found = 0;
  for (uint32_t i = 0; i < drivers && !found; ++i) {
    compute->driver = handles[i];
    CHECK(zeDeviceGet(handles[i], &found, NULL));
    if (found > 1) found = 1;
    if (found) CHECK(zeDeviceGet(handles[i], &found, &compute->device));
  }
  free(handles);
  return found != 0;
}

/* The first queue group that computes. */
static uint32_t compute_ordinal(ze_device_handle_t device) {
  uint32_t count = 0, ordinal = 0;
  CHECK(zeDeviceGetCommandQueueGroupProperties(device, &count, NULL));
  ze_command_queue_group_properties_t* groups = calloc(count + 1, sizeof *groups);
  for (uint32_t i = 0; i < count; ++i) groups[i].stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
  CHECK(zeDeviceGetCommandQueueGroupProperties(device, &count, groups));
  while (ordinal < count && !(groups[ordinal].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE)) ++ordinal;
  free(groups);
  return ordinal;
}

void compute_open(compute_t* compute) {
  CHECK(zeInit(0));
  if (!first_device(compute)) {
    fprintf(stderr, "No Level Zero device found\n");
    exit(1);
  }
  const ze_context_desc_t context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  CHECK(zeContextCreate(compute->driver, &context, &compute->context));
  compute->queue_ordinal = compute_ordinal(compute->device);
  const ze_command_queue_desc_t queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                         .ordinal = compute->queue_ordinal,
                                         .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  CHECK(zeCommandQueueCreate(compute->context, compute->device, &queue, &compute->queue));
}

void compute_close(compute_t* compute) {
  CHECK(zeCommandQueueDestroy(compute->queue));
  CHECK(zeContextDestroy(compute->context));
}

static void describe_loader(void) {
  size_t count = 0;
  CHECK(zelLoaderGetVersions(&count, NULL));
  zel_component_version_t* components = calloc(count + 1, sizeof *components);
  CHECK(zelLoaderGetVersions(&count, components));
  for (size_t i = 0; i < count; ++i) {
    const zel_version_t version = components[i].component_lib_version;
    if (strcmp(components[i].component_name, "loader") == 0)
      printf("Loader   %d.%d.%d\n", version.major, version.minor, version.patch);
  }
  free(components);
}

static const char* type_name(ze_device_type_t type) {
  switch (type) {
  case ZE_DEVICE_TYPE_CPU:
    return "CPU";
  case ZE_DEVICE_TYPE_GPU:
    return "GPU";
  default:
    return "other";
  }
}

void compute_describe(const compute_t* compute) {
  ze_device_properties_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  ze_api_version_t api;
  CHECK(zeDeviceGetProperties(compute->device, &device));
  CHECK(zeDriverGetApiVersion(compute->driver, &api));
  printf("Device   %s (%s, API %u.%u)\n", device.name, type_name(device.type), (unsigned)ZE_MAJOR_VERSION(api),
         (unsigned)ZE_MINOR_VERSION(api));
  describe_loader();
}

void* compute_alloc(const compute_t* compute, size_t bytes) {
  const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void* memory = NULL;
  CHECK(zeMemAllocShared(compute->context, &device, &host, bytes, 64, compute->device, &memory));
  return memory;
}

void compute_free(const compute_t* compute, void* memory) { CHECK(zeMemFree(compute->context, memory)); }

void compute_zero(const compute_t* compute, void* memory, size_t bytes) {
  const ze_command_queue_desc_t queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                         .ordinal = compute->queue_ordinal,
                                         .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  const ze_event_pool_desc_t pool_desc = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE, .count = 1};
  const ze_event_desc_t event_desc = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .signal = ZE_EVENT_SCOPE_FLAG_HOST, .wait = ZE_EVENT_SCOPE_FLAG_HOST};
  ze_device_handle_t device = compute->device;
  ze_command_list_handle_t list;
  ze_event_pool_handle_t pool;
  ze_event_handle_t done;
  CHECK(zeCommandListCreateImmediate(compute->context, compute->device, &queue, &list));
  CHECK(zeEventPoolCreate(compute->context, &pool_desc, 1, &device, &pool));
  CHECK(zeEventCreate(pool, &event_desc, &done));
  const uint32_t zero = 0;
  CHECK(zeCommandListAppendMemoryFill(list, memory, &zero, sizeof zero, bytes, done, 0, NULL));
  CHECK(zeEventHostSynchronize(done, UINT64_MAX));
  CHECK(zeEventDestroy(done));
  CHECK(zeEventPoolDestroy(pool));
  CHECK(zeCommandListDestroy(list));
}

static double run_once(const compute_t* compute, ze_command_list_handle_t list, ze_fence_handle_t fence) {
  const double start = now_seconds();
  CHECK(zeCommandQueueExecuteCommandLists(compute->queue, 1, &list, fence));
  CHECK(zeFenceHostSynchronize(fence, UINT64_MAX));
  const double seconds = now_seconds() - start;
  CHECK(zeFenceReset(fence));
  return seconds;
}

double compute_run(const compute_t* compute, compute_kernel_t* kernel, uint32_t width, uint32_t height,
                   uint32_t group_x, int rounds) {
  const ze_command_list_desc_t list_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                            .commandQueueGroupOrdinal = compute->queue_ordinal};
  const ze_fence_desc_t fence_desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
  const ze_group_count_t groups = {(width + group_x - 1) / group_x, height, 1};
  ze_command_list_handle_t list;
  ze_fence_handle_t fence;
  CHECK(zeKernelSetGroupSize(kernel->kernel, group_x, 1, 1));
  CHECK(zeCommandListCreate(compute->context, compute->device, &list_desc, &list));
  CHECK(zeCommandListAppendLaunchKernel(list, kernel->kernel, &groups, NULL, 0, NULL));
  CHECK(zeCommandListClose(list));
  CHECK(zeFenceCreate(compute->queue, &fence_desc, &fence));
  double best = run_once(compute, list, fence);
  for (int round = 1; round < rounds; ++round) {
    const double seconds = run_once(compute, list, fence);
    if (seconds < best) best = seconds;
  }
  CHECK(zeFenceDestroy(fence));
  CHECK(zeCommandListDestroy(list));
  return best;
}
