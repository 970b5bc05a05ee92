// Branches that nobody can predict become choices between values.
#pragma once

namespace llvm {
class Function;
}

namespace zeroth::codegen {

// For work-items that run one by one: where a loop branches or switches by what it has just loaded, arms that only
// compute a little are computed always, and their results chosen. Arms that do more stay where they are.
//
//     switch (x)                               a0 = …; a1 = …
//      0 /  1 |  \ 2        ▶                  v = x == 0 ? a0 : a1
//     a0   a1   return                         if (x == 2) return
void choose_between_arms(llvm::Function& function);

} // namespace zeroth::codegen
