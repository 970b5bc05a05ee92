/* The one implementation of zeroth_services::run_groups, for devices to put into their table. It is compiled with the
 * device instead of into each kernel: it is the same for all, and code is what compiling a kernel costs. */
#ifndef ZEROTH_RUN_GROUPS_H
#define ZEROTH_RUN_GROUPS_H

#include "kernel_abi.h"

/* How many groups from `x` on may be run as one: those that make a row of `row` work-items, at least one. */
static inline uint64_t zeroth_groups_at_once(const zeroth_launch* launch, uint64_t row) {
  const uint64_t items = row & ~ZEROTH_ROW_WITHOUT_END;
  const int is_line = launch->group_size[1] == 1 && launch->group_size[2] == 1;
  if ((row & ZEROTH_ROW_WITHOUT_END) && is_line) return UINT64_MAX;
  return items > launch->group_size[0] ? items / launch->group_size[0] : 1;
}

static inline uint64_t zeroth_least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static inline void zeroth_run_groups(const zeroth_launch* launch, zeroth_worker* worker, uint64_t first, uint64_t end,
                                     zeroth_group_fn group_fn, void* group_context, uint64_t row) {
  const uint64_t columns = launch->group_count[0], rows = launch->group_count[1];
  const uint64_t most = zeroth_groups_at_once(launch, row);
  uint64_t x = first % columns, y = first / columns % rows, z = first / columns / rows;
  while (first < end) {
    const uint64_t groups = zeroth_least(most, zeroth_least(columns - x, end - first));
    group_fn(launch, worker, x, y, z, groups, group_context);
    first += groups;
    x += groups;
    if (x < columns) continue;
    x = 0;
    if (++y < rows) continue;
    y = 0;
    ++z;
  }
}

#endif
