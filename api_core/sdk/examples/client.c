/* A program of somebody who knows only Level Zero: fills, copies, waits on events, through a regular and an immediate
 * list. */
#include <level_zero/ze_api.h>
#include <stdio.h>
#include <string.h>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    const ze_result_t result = (call);                                                                                 \
    if (result != ZE_RESULT_SUCCESS) return printf("%s: 0x%x\n", #call, (unsigned)result), 1;                          \
  } while (0)

enum { size = 4096 };

int main(void) {
  uint32_t one = 1;
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  ze_context_handle_t context;
  CHECK(zeInit(0));
  CHECK(zeDriverGet(&one, &driver));
  CHECK(zeDeviceGet(driver, &one, &device));
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  CHECK(zeDeviceGetProperties(device, &properties));
  ze_context_desc_t context_desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  CHECK(zeContextCreate(driver, &context_desc, &context));

  unsigned char *a, *b;
  ze_device_mem_alloc_desc_t device_desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  ze_host_mem_alloc_desc_t host_desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  CHECK(zeMemAllocDevice(context, &device_desc, size, 64, device, (void**)&a));
  CHECK(zeMemAllocHost(context, &host_desc, size, 64, (void**)&b));
  void* too_much;
  if (zeMemAllocDevice(context, &device_desc, (size_t)1 << 60, 64, device, &too_much) == ZE_RESULT_SUCCESS) return 2;

  ze_event_pool_handle_t pool;
  ze_event_handle_t filled, copied;
  ze_event_pool_desc_t pool_desc = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE, .count = 2};
  ze_event_desc_t event_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  CHECK(zeEventPoolCreate(context, &pool_desc, 0, NULL, &pool));
  CHECK(zeEventCreate(pool, &event_desc, &filled));
  event_desc.index = 1;
  CHECK(zeEventCreate(pool, &event_desc, &copied));

  ze_command_queue_handle_t queue;
  ze_command_list_handle_t regular, immediate;
  ze_command_queue_desc_t queue_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
  ze_command_list_desc_t list_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  CHECK(zeCommandQueueCreate(context, device, &queue_desc, &queue));
  CHECK(zeCommandListCreate(context, device, &list_desc, &regular));
  CHECK(zeCommandListCreateImmediate(context, device, &queue_desc, &immediate));

  const unsigned char pattern[4] = {1, 2, 3, 4};
  CHECK(zeCommandListAppendMemoryFill(regular, a, pattern, sizeof pattern, size, filled, 0, NULL));
  CHECK(zeCommandListClose(regular));
  if (zeEventQueryStatus(filled) != ZE_RESULT_NOT_READY) return 3;
  CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &regular, NULL));
  CHECK(zeCommandListAppendMemoryCopy(immediate, b, a, size, copied, 1, &filled));
  CHECK(zeEventHostSynchronize(copied, UINT64_MAX));
  for (int i = 0; i < size; ++i)
    if (b[i] != pattern[i % 4]) return printf("byte %d is %d\n", i, b[i]), 4;
  printf("%s: %d bytes filled, copied and compared\n", properties.name, size);

  CHECK(zeCommandListDestroy(immediate));
  CHECK(zeCommandListDestroy(regular));
  CHECK(zeCommandQueueDestroy(queue));
  CHECK(zeEventDestroy(copied));
  CHECK(zeEventDestroy(filled));
  CHECK(zeEventPoolDestroy(pool));
  CHECK(zeMemFree(context, b));
  CHECK(zeMemFree(context, a));
  CHECK(zeContextDestroy(context));
  return 0;
}
