// Most kernels ask for nothing but global ids: they cannot tell in which work-group they run. Groups that lie side by
// side are then one long row to them, cut into slices as if it were one group: short groups fill slices, and what is
// done once a group is done once for many. Kernels that may wait for another work-item (atomics and loops) keep their
// groups apart: in one slice they would go round together.
#pragma once

namespace llvm {
class Function;
}

namespace zeroth::codegen {

// Marks `kernel` if it cannot tell groups apart along x. To be asked before queries are expanded: afterwards a global
// id is made of what it must not ask for.
void mark_unnoticed_groups(llvm::Function& kernel);

bool groups_go_unnoticed(const llvm::Function& kernel);

// The body made of a kernel is like it: what later passes ask of the body has the same answer.
void inherit_unnoticed_groups(llvm::Function& body, const llvm::Function& kernel);

} // namespace zeroth::codegen
