// Rewrites the work-item queries of a kernel into a few primitive ones with constant dimensions:
//   local_id(d)  local_linear_id()  sub_group_local_id()  sub_group_id()          differ between work-items
//   group_id(d)  enqueued_local_size(d)  num_groups(d)  global_offset(d)  work_dim()   the same for the whole group
// Everything else becomes arithmetic on these.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
}

namespace zeroth::codegen {

// Queries with a dimension. The size of a known work-group (reqd_work_group_size) becomes a constant; ids and sizes get
// the ranges that are certain. Early: simplification makes much of both.
void expand_queries(llvm::Function& kernel);

// Queries about sub-groups, which hold at most `sub_group_size` work-items; all_full: each holds so many.
void expand_sub_group_queries(llvm::Function& kernel, uint32_t sub_group_size, bool all_full = false);

} // namespace zeroth::codegen
