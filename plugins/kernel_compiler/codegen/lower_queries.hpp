// The last step of work-item queries: primitive ones (see expand_queries.hpp) become fields of the launch and
// parameters of the slice function.
#pragma once

namespace llvm {
class Function;
}

namespace zeroth::codegen {

// group_id, enqueued_local_size, num_groups, global_offset, work_dim: in slice functions of every form.
void lower_group_queries(llvm::Function& slice);

// local_id, local_linear_id, sub-group ids: in the slice function of the plain form (W = 1).
void lower_item_queries(llvm::Function& slice);

} // namespace zeroth::codegen
