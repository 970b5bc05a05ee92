// Dialect calls that the device serves: barriers of fibers, printf, clock, generic-pointer tests, async copies.
#pragma once

namespace llvm {
class Function;
}

namespace zeroth::codegen {

// async_copy becomes loops in which each work-item copies its share; wait_group_events nothing (the reader has put a
// barrier there). On a kernel body, before any form is made.
void lower_async_copies(llvm::Function& body);

// In a slice function whose barriers are fiber switches: barrier → services->barrier.
void lower_barriers_to_services(llvm::Function& slice);

// printf, read_clock, to_local/to_global/to_private. In a slice function of any form, where they are scalar calls.
void lower_services(llvm::Function& slice);

} // namespace zeroth::codegen
