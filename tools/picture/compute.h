/* The little of Level Zero that the demo needs: one device, memory, kernels from SPIR-V files, timed launches.
 * Calls of API 1.8 only. Every failure prints the call and its code and ends the program with status 1. */
#ifndef COMPUTE_H
#define COMPUTE_H

#include <level_zero/ze_api.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  ze_context_handle_t context;
  ze_command_queue_handle_t queue;
  uint32_t queue_ordinal;
} compute_t;

typedef struct {
  ze_module_handle_t module;
  ze_kernel_handle_t kernel;
  double build_seconds;
} compute_kernel_t;

/* Ends the program with status 1 unless `result` is success. */
void compute_check(ze_result_t result, const char* call);
#define CHECK(call) compute_check((call), #call)

/* The first device of the first driver that has one. */
void compute_open(compute_t* compute);
void compute_close(compute_t* compute);
/* Driver, device, API version and loader, on one line each. */
void compute_describe(const compute_t* compute);

/* Memory that both host and device may use, at least `bytes`. */
void* compute_alloc(const compute_t* compute, size_t bytes);
void compute_free(const compute_t* compute, void* memory);

/* Loads `folder`/`name`.spv and creates its kernel `name`. */
compute_kernel_t compute_kernel_load(const compute_t* compute, const char* folder, const char* name);
void compute_kernel_free(compute_kernel_t* kernel);
void compute_kernel_argument(compute_kernel_t* kernel, uint32_t index, size_t size, const void* value);

/* Runs the kernel over width x height work-items in groups of group_x x 1 (rounded up), through a command list that is
 * recorded once and executed `rounds` times on the queue. Returns the shortest time of a round in seconds. */
double compute_run(const compute_t* compute, compute_kernel_t* kernel, uint32_t width, uint32_t height,
                   uint32_t group_x, int rounds);
/* Fills memory through an immediate command list and waits on the host for its event. */
void compute_zero(const compute_t* compute, void* memory, size_t bytes);

double now_seconds(void);

#endif
