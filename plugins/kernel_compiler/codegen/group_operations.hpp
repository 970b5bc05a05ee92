// Work-group operations (reduce, scan, broadcast, all, any over a whole group) and, for the plain form, sub-groups of
// one.
#pragma once

namespace llvm {
class Function;
}

namespace zeroth::codegen {

// Work-group operations become stores to scratch, barriers and loops over the group's values: every form runs them as
// it runs any barrier. `slot_bytes` of scratch are needed per work-item (0 when there are none).
unsigned lower_work_group_operations(llvm::Function& body);

// Sub-groups of one work-item: each operation is its operand, or the identity for an exclusive scan. Barriers of
// sub-groups and single work-items go too.
void lower_sub_groups_of_one(llvm::Function& slice);

// Barriers of a sub-group or less: its work-items go in step. For LLVM a fence stays where one was, which costs nothing:
// it sees one work-item, whose places others may have written meanwhile.
bool has_narrow_barriers(llvm::Function& body);
void loosen_narrow_barriers(llvm::Function& body);

} // namespace zeroth::codegen
