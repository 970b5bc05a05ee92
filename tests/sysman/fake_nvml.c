/* A library with the interface of NVIDIA's, for machines without it: one GPU at 0000:0a:00.0 with fixed readings, no
 * fan and no right to change anything. Files in the folder FAKE_NVML change it: "may-set" gives the rights and a fan,
 * "must-reset" is a GPU that must be reset, "ecc-off" one that does not correct errors, "no-memory-told" one in a
 * container. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { Ok = 0, BadArgument = 2, NotSupported = 3, NoPermission = 4, NotFound = 6, ResetRequired = 16 };

static int gpu;
static unsigned long long samples;
static unsigned limit = 700000, lowest_clock, highest_clock, fan = 30, fan_policy, cleared;

static int is(const char* state) {
  char path[512];
  const char* folder = getenv("FAKE_NVML");
  if (!folder) return 0;
  snprintf(path, sizeof path, "%s/%s", folder, state);
  return access(path, F_OK) == 0;
}
static int may_set(void) { return is("may-set") ? Ok : NoPermission; }

int nvmlInit_v2(void) { return Ok; }
const char* nvmlErrorString(int result) {
  return result == NoPermission ? "Insufficient Permissions" : "Not Supported";
}
int nvmlSystemGetDriverVersion(char* text, unsigned size) { return strncpy(text, "999.1", size), Ok; }
int nvmlDeviceGetHandleByPciBusId_v2(const char* pci, void** device) {
  return *device = &gpu, strcmp(pci, "0000:0a:00.0") == 0 ? Ok : NotFound;
}
static int is_gpu(void* device) { return device == &gpu ? Ok : BadArgument; }

int nvmlDeviceGetName(void* d, char* text, unsigned size) { return strncpy(text, "Pretend GPU", size), is_gpu(d); }
int nvmlDeviceGetSerial(void* d, char* text, unsigned size) { return strncpy(text, "1650", size), is_gpu(d); }
int nvmlDeviceGetVbiosVersion(void* d, char* text, unsigned size) { return strncpy(text, "96.0", size), is_gpu(d); }
int nvmlDeviceGetTotalEnergyConsumption(void* d, unsigned long long* mj) { return *mj = 5000, is_gpu(d); }
int nvmlDeviceGetPowerUsage(void* d, unsigned* mw) { return *mw = 71500, is_gpu(d); }
int nvmlDeviceGetPowerManagementLimit(void* d, unsigned* mw) { return *mw = limit, is_gpu(d); }
int nvmlDeviceGetPowerManagementDefaultLimit(void* d, unsigned* mw) { return *mw = 700000, is_gpu(d); }
int nvmlDeviceGetPowerManagementLimitConstraints(void* d, unsigned* least, unsigned* most) {
  return *least = 200000, *most = 700000, is_gpu(d);
}
int nvmlDeviceSetPowerManagementLimit(void* d, unsigned mw) {
  if (may_set() == Ok) limit = mw;
  return is_gpu(d) == Ok ? may_set() : BadArgument;
}
int nvmlDeviceGetSupportedMemoryClocks(void* d, unsigned* count, unsigned* mhz) {
  return mhz[0] = 3201, mhz[1] = 1593, *count = 2, is_gpu(d);
}
int nvmlDeviceGetSupportedGraphicsClocks(void* d, unsigned memory, unsigned* count, unsigned* mhz) {
  for (*count = 0; *count < 110; ++*count) mhz[*count] = 1980 - 15 * *count;
  return memory == 3201 ? is_gpu(d) : BadArgument;
}
int nvmlDeviceSetGpuLockedClocks(void* d, unsigned least, unsigned most) {
  if (may_set() == Ok) lowest_clock = least, highest_clock = most;
  return is_gpu(d) == Ok ? may_set() : BadArgument;
}
int nvmlDeviceResetGpuLockedClocks(void* d) { return nvmlDeviceSetGpuLockedClocks(d, 0, 0); }
/* Not NVIDIA's: what a test looks at. */
unsigned fake_nvml_lowest_clock(void) { return lowest_clock; }
unsigned fake_nvml_highest_clock(void) { return highest_clock; }
int nvmlDeviceGetNumFans(void* d, unsigned* count) { return *count = is("may-set"), is_gpu(d); }
int nvmlDeviceGetFanSpeed_v2(void* d, unsigned number, unsigned* percent) {
  return *percent = fan, number == 0 ? is_gpu(d) : BadArgument;
}
int nvmlDeviceGetFanControlPolicy_v2(void* d, unsigned number, unsigned* policy) {
  return *policy = fan_policy, number == 0 ? is_gpu(d) : BadArgument;
}
int nvmlDeviceSetFanSpeed_v2(void* d, unsigned number, unsigned percent) {
  if (number != 0 || may_set() != Ok) return NoPermission;
  return fan = percent, fan_policy = 1, is_gpu(d);
}
int nvmlDeviceSetDefaultFanSpeed_v2(void* d, unsigned number) {
  if (number != 0 || may_set() != Ok) return NoPermission;
  return fan = 30, fan_policy = 0, is_gpu(d);
}
int nvmlDeviceClearEccErrorCounts(void* d, int counter) {
  if (may_set() == Ok) cleared = 1;
  return is_gpu(d) == Ok && counter == 0 ? may_set() : BadArgument;
}
int nvmlDeviceGetTemperature(void* d, int sensor, unsigned* celsius) {
  if (is("must-reset")) return ResetRequired;
  return *celsius = 33, sensor == 0 ? is_gpu(d) : BadArgument;
}
int nvmlDeviceGetTemperatureThreshold(void* d, int kind, unsigned* celsius) {
  return *celsius = kind == 0 ? 95 : 88, is_gpu(d);
}
int nvmlDeviceGetClockInfo(void* d, int clock, unsigned* mhz) {
  return *mhz = clock == 2 ? 3201 : 345, clock == 3 ? NotSupported : is_gpu(d);
}
int nvmlDeviceGetMaxClockInfo(void* d, int clock, unsigned* mhz) { return *mhz = clock == 2 ? 3201 : 1980, is_gpu(d); }
int nvmlDeviceGetMemoryInfo(void* d, unsigned long long* total_free_used) {
  total_free_used[0] = 100ull << 30, total_free_used[1] = 99ull << 30, total_free_used[2] = 1ull << 30;
  return is_gpu(d);
}
int nvmlDeviceGetSamples(void* d, int kind, unsigned long long seen, int* type, unsigned* count, void* to) {
  unsigned long long* out = to; /* pairs of time and value */
  (void)kind, *type = 1, *count = 1;
  out[0] = seen ? seen + 1000 : 1000000, out[1] = 50, ++samples;
  return is_gpu(d);
}
int nvmlDeviceGetTotalEccErrors(void* d, int kind, int counter, unsigned long long* count) {
  return (void)counter, *count = kind == 0 && !cleared ? 4 : 0, is_gpu(d);
}
int nvmlDeviceGetEccMode(void* d, unsigned* now, unsigned* pending) {
  return *now = *pending = !is("ecc-off"), is_gpu(d);
}
int nvmlDeviceGetMaxPcieLinkGeneration(void* d, unsigned* value) { return *value = 5, is_gpu(d); }
int nvmlDeviceGetMaxPcieLinkWidth(void* d, unsigned* value) { return *value = 16, is_gpu(d); }
int nvmlDeviceGetPcieReplayCounter(void* d, unsigned* value) { return *value = 2, is_gpu(d); }
struct process {
  unsigned id;
  unsigned long long memory;
  unsigned instance, compute_instance;
};
int nvmlDeviceGetComputeRunningProcesses_v3(void* d, unsigned* count, struct process* list) {
  return *count = 1, list[0] = (struct process){77, is("no-memory-told") ? ~0ull : 2048, 0, 0}, is_gpu(d);
}
