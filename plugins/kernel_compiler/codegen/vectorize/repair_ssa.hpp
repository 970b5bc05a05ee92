// After linearisation a value may be made on a path that some of its uses are also reached around. There no work-item
// looks at it: such uses get poison through phis.
#pragma once

namespace llvm {
class Function;
}

namespace zeroth::codegen {

void repair_ssa(llvm::Function& function);

} // namespace zeroth::codegen
