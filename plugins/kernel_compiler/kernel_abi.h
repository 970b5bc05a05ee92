/* The contract between compiled kernels and the device that runs them (C, no includes but stdint/stddef).
 *
 * A compiled kernel is one function, `zeroth_kernel_fn`, that runs a contiguous range of work-groups on the calling
 * thread. It keeps no state: all it reads is the launch (shared by all threads of one launch, read-only) and the worker
 * (owned by the calling thread). The shared object that holds it has no undefined symbols but those of libc and libm:
 * everything else it needs from the device comes through `zeroth_services`.
 */
#ifndef ZEROTH_KERNEL_ABI_H
#define ZEROTH_KERNEL_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a structure of this file changes; part of the cache key and of every native binary. */
#define ZEROTH_KERNEL_ABI_VERSION 2u

typedef struct zeroth_launch zeroth_launch;
typedef struct zeroth_worker zeroth_worker;

/* One launch. Read-only from submission to completion; shared by every thread that runs groups of it. */
struct zeroth_launch {
  /* Packed argument block, 64-byte aligned; offsets and sizes are in the kernel's metadata. A pointer argument is its
   * 8-byte address; a local (work-group) pointer argument is its byte offset into zeroth_worker::local_memory. */
  const uint8_t* arguments;
  uint64_t global_offset[3]; /* work-items */
  uint32_t group_size[3];    /* work-items per group and dimension, each >= 1 */
  uint32_t group_count[3];   /* groups per dimension, each >= 1 */
  uint32_t work_dim;         /* 1..3, what get_work_dim() returns */
  uint32_t reserved;
  void* device_data;         /* the device's own; kernels pass it through to services */
};

/* One slice of a work-group: W consecutive work-items. Used only by kernels whose barriers need fibers.
 * `slice` counts from 0; returns when its work-items are done. Calls services->barrier to wait for its siblings. */
typedef void (*zeroth_slice_fn)(const zeroth_launch* launch, zeroth_worker* worker, const uint32_t group_id[3],
                                uint32_t slice, void* slice_context);

/* Runs `groups` work-groups that lie side by side, from (x, y, z) on; more than one only where `row` allows it. */
typedef void (*zeroth_group_fn)(const zeroth_launch* launch, zeroth_worker* worker, uint64_t x, uint64_t y, uint64_t z,
                                uint64_t groups, void* group_context);

/* Of run_groups' `row`: where groups are one row high, rows end only with the launch. */
#define ZEROTH_ROW_WITHOUT_END ((uint64_t)1 << 32)

/* What the device offers to running kernels. One constant table for the life of the device. */
typedef struct zeroth_services {
  /* Runs `slices` calls of `slice_fn` as fibers on the calling thread until all have returned. Any of them may call
   * `barrier`; each barrier is passed when every slice that has not returned has reached it. */
  void (*run_slices)(const zeroth_launch* launch, zeroth_worker* worker, const uint32_t group_id[3], uint32_t slices,
                     zeroth_slice_fn slice_fn, void* slice_context);
  /* Suspends the calling slice until all its siblings have arrived. Only inside run_slices. */
  void (*barrier)(zeroth_worker* worker);
  /* Appends a piece of the text of one printf: pieces of 1024 bytes, then a shorter one, which may be empty. `text` is
   * not null-terminated; copied before return. */
  void (*print)(const zeroth_launch* launch, const char* text, size_t length);
  /* Monotonic device ticks (nanoseconds). */
  uint64_t (*clock)(void);
  /* Runs the work-groups [first, end) by calls of `group_fn`; of those that lie side by side, so many together as make a
   * row of `row` work-items (0: one by one). See run_groups.h. */
  void (*run_groups)(const zeroth_launch* launch, zeroth_worker* worker, uint64_t first, uint64_t end,
                     zeroth_group_fn group_fn, void* group_context, uint64_t row);
} zeroth_services;

/* One executing thread's scratch. Owned by the device; valid for the duration of the call. */
struct zeroth_worker {
  const zeroth_services* services;
  uint8_t* local_memory; /* at least the kernel's static local bytes + its local arguments; 128-byte aligned */
  uint8_t* scratch;      /* at least scratch_bytes(kernel, group size); 128-byte aligned; uninitialised */
  void* device_data;     /* the device's own */
  uint64_t local_bytes;   /* size of local_memory: what lies there is local to a generic pointer's test */
  uint64_t scratch_bytes; /* size of scratch, which holds private variables */
};

/* Runs the work-groups [first, end) of the launch, in linear order x fastest. Reentrant across workers. */
typedef void (*zeroth_kernel_fn)(const zeroth_launch* launch, zeroth_worker* worker, uint64_t first, uint64_t end);

#ifdef __cplusplus
}
#endif
#endif
