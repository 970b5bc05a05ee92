// The functions between a kernel and its entry point, and what their parameters mean.
//
//   entry   zeroth_kernel_fn                                          picks a form by the group size
//   range   void(launch, worker, i64 first, i64 end)                  loops over groups, or services->run_groups does
//   group   void(launch, worker, i64 gx, gy, gz, i64 groups, ptr)     runs one work-group: loops over slices
//   slice   void(launch, worker, i64 gx, gy, gz, i64 x, y, z, n, row) runs W work-items: slice n of rows of `row`
//                                                                     work-items, first one at (x, y, z)
//
// A slice is `parts` runs of `lanes` work-items; W = parts * lanes. All but the entry are internal; what has one caller
// is inlined. Where a form spans groups, `groups` of them side by side, from gx on, are run as one whose rows are that
// much longer.
#pragma once

#include "../kernel_abi.h"

#include <array>
#include <cstdint>

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

namespace zeroth::codegen {

// How a work-group is cut into parts of `lanes` work-items.
enum class Cut : uint8_t {
  Rows,        // a part lies within a row (same y and z), which begins at a multiple of lanes; all of them exist
  MaskedRows,  // a part lies within a row; work-items beyond the row's end and parts beyond the group are masked
  MaskedLinear // part p holds linear ids p*lanes…; those beyond the group are masked
};

struct Shape {
  Cut cut = Cut::MaskedLinear;
  uint32_t lanes = 1;
  uint32_t parts = 1;
  std::array<uint32_t, 3> known_size{}; // of every group; zeros: any
  bool whole_rows = false;              // all parts lie within a row
  uint32_t long_row = 0; // rows go on through groups up to so many work-items (unnoticed_groups.hpp); without
                         // end where that is more than a slice and groups are one row high
  uint32_t width() const { return lanes * parts; }
  bool spans_groups() const { return long_row > 0; }
  bool masked() const { return cut != Cut::Rows && width() > 1; }
};

// A slice function for rows, with lanes as the form that calls it and a part (or all) of its parts.
struct SmallerSlice {
  llvm::Function* function = nullptr;
  uint32_t parts = 1;
};

namespace group_argument {
enum : unsigned { Launch, Worker, X, Y, Z, Groups, Slice };
}

namespace slice_argument {
enum : unsigned { Launch, Worker, GroupX, GroupY, GroupZ, X, Y, Z, Index, Row, Count };
}

llvm::FunctionType* slice_function_type(llvm::LLVMContext& context);
llvm::FunctionType* group_function_type(llvm::LLVMContext& context);
llvm::FunctionType* range_function_type(llvm::LLVMContext& context);

// An internal function whose launch and worker arguments carry what optimisers may assume of them.
llvm::Function* create_internal(llvm::Module& module, llvm::FunctionType* type, const llvm::Twine& name);

using Position = std::array<llvm::Value*, 3>;

// Loads of fields of zeroth_launch and zeroth_worker, marked invariant; 32-bit ones widened to i64.
llvm::Value* load_field(llvm::IRBuilderBase& builder, llvm::Value* base, uint64_t offset, llvm::Type* type);
llvm::Value* group_extent(llvm::IRBuilderBase& builder, llvm::Value* launch, unsigned dimension);
llvm::Value* group_count(llvm::IRBuilderBase& builder, llvm::Value* launch, unsigned dimension);
llvm::Value* service(llvm::IRBuilderBase& builder, llvm::Value* worker, uint64_t offset);
Position group_extents(llvm::IRBuilderBase& builder, llvm::Value* launch, const Shape& shape);

// Steps `position` by `step` along x; at the row's end to the next row and plane.
Position advance(llvm::IRBuilderBase& builder, const Position& position, const Position& extent, llvm::Value* step);
Position advance(llvm::IRBuilderBase& builder, const Position& position, const Position& extent, uint64_t step);

// Slices in a group, and the position of slice `index` by division.
llvm::Value* slice_count(llvm::IRBuilderBase& builder, const Position& extent, const Shape& shape);
Position slice_position(llvm::IRBuilderBase& builder, llvm::Value* index, const Position& extent, const Shape& shape);

// Opens a loop over all slices of a group in `function` from block `before` to `after`; the builder is left in its
// body. Returns the position and index of the current slice; the body must be closed by close_slice_loop.
struct SliceLoop {
  Position position;
  llvm::PHINode* index;
  llvm::BasicBlock* header;
  llvm::BasicBlock* after;
};
SliceLoop open_slice_loop(llvm::IRBuilderBase& builder);
void close_slice_loop(llvm::IRBuilderBase& builder, const SliceLoop& loop, const Position& extent, const Shape& shape,
                      llvm::Value* count);

} // namespace zeroth::codegen
