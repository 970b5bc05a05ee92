/* A library with the interface of NVIDIA's, for machines without it: one GPU at 0000:0a:00.0 with fixed readings, no fan
 * and no right to change anything. */
#include <string.h>

enum { Ok = 0, BadArgument = 2, NotSupported = 3, NoPermission = 4, NotFound = 6 };

static int gpu;
static unsigned long long samples;

int nvmlInit_v2(void) { return Ok; }
const char* nvmlErrorString(int result) { return result == NoPermission ? "Insufficient Permissions" : "Not Supported"; }
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
int nvmlDeviceGetPowerManagementLimit(void* d, unsigned* mw) { return *mw = 700000, is_gpu(d); }
int nvmlDeviceGetPowerManagementDefaultLimit(void* d, unsigned* mw) { return *mw = 700000, is_gpu(d); }
int nvmlDeviceGetPowerManagementLimitConstraints(void* d, unsigned* least, unsigned* most) {
  return *least = 200000, *most = 700000, is_gpu(d);
}
int nvmlDeviceSetPowerManagementLimit(void* d, unsigned mw) { return (void)d, (void)mw, NoPermission; }
int nvmlDeviceGetTemperature(void* d, int sensor, unsigned* celsius) {
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
  return (void)counter, *count = kind == 0 ? 4 : 0, is_gpu(d);
}
int nvmlDeviceGetEccMode(void* d, unsigned* now, unsigned* pending) { return *now = *pending = 1, is_gpu(d); }
int nvmlDeviceGetFanSpeed(void* d, unsigned* percent) { return (void)d, *percent = 0, NotSupported; }
int nvmlDeviceGetMaxPcieLinkGeneration(void* d, unsigned* value) { return *value = 5, is_gpu(d); }
int nvmlDeviceGetMaxPcieLinkWidth(void* d, unsigned* value) { return *value = 16, is_gpu(d); }
int nvmlDeviceGetPcieReplayCounter(void* d, unsigned* value) { return *value = 2, is_gpu(d); }
struct process {
  unsigned id;
  unsigned long long memory;
  unsigned instance, compute_instance;
};
int nvmlDeviceGetComputeRunningProcesses_v3(void* d, unsigned* count, struct process* list) {
  return *count = 1, list[0] = (struct process){77, 2048, 0, 0}, is_gpu(d);
}
