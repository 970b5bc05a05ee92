// Kernels begin with the question whether their work-item is inside of the data: "if (i >= n) return;". Nearly always
// all of a slice are. The forms for whole slices ask that once and then run without masks; a slice that some work-items
// leave early is run in smaller slices: one part at a time, and those that still are not full under masks. Short
// kernels with several bounds, those of rows, have the code under masks beside: half of the slices of short rows need
// it.
//
//   if (i >= n) return;          all of i < n?  no ▶ call the smaller slices, return; or the same code under masks
//   …                    ▶          │ yes
//                                   … without masks
#pragma once

#include <string_view>

namespace llvm {
class BasicBlock;
class CallBase;
class Function;
} // namespace llvm

namespace zeroth::codegen {

class WideState;

namespace slice_query {
inline constexpr std::string_view All = "zeroth.slice.all"; // i1 name(i1): of all work-items, also those that are gone
inline constexpr std::string_view Smaller = "zeroth.slice.smaller"; // void name(): runs it in smaller slices
inline constexpr std::string_view Further = "zeroth.slice.further"; // void name(i64 n): those of n groups further on
} // namespace slice_query

// Does `body`, which is ready for widening, begin with bounds checks that may be asked at once?
bool asks_for_bounds(llvm::Function& body);

// Rewrites the leading bounds checks of `body`. False (and nothing done) when it does not begin with any.
bool expect_full_slices(llvm::Function& body);

// Is `block` of the code under masks beside?
bool is_of_edges(const llvm::BasicBlock& block);

// What the widener makes of the two queries. Where a slice runs along a row, its ends answer for all of it.
void widen_question_to_all(WideState& state, const llvm::CallBase& call);
void call_smaller_slices(WideState& state, const llvm::CallBase& call);

} // namespace zeroth::codegen
