// The kernel dialect: what LLVM IR looks like between the SPIR-V reader and code generation. Names only, no LLVM here.
//
// Functions. A kernel has calling convention spir_kernel, external linkage and its entry point's name; everything it
// calls is spir_func and internal, unless the module exports it (then external, kept only by whoever links modules).
// A struct passed by value is `ptr byval(T) align A`, also in calls of functions.
// Address spaces: 0 private, 1 global, 2 constant, 3 local, 4 generic; all pointers have 64 bits (x86-64 data layout).
// An image is `ptr addrspace(1)`, a sampler `ptr addrspace(2)`, an event `ptr`; null is a valid value of each, but not as
// a kernel argument: devices refuse it, and what an argument says of itself may be read before it is used.
// Every call below is `convergent` where it synchronises or exchanges values; queries are `memory(none) willreturn`.
#pragma once

#include <string_view>

namespace zeroth::dialect {

enum AddressSpace : unsigned { Private = 0, Global = 1, Constant = 2, Local = 3, Generic = 4 };

// Work-item queries. With a dimension: i64 name(i32 dim), 0 <= dim < 3 always (the reader guards a dynamic one).
inline constexpr std::string_view GlobalId = "zeroth.global_id";
inline constexpr std::string_view GlobalSize = "zeroth.global_size";
inline constexpr std::string_view GlobalOffset = "zeroth.global_offset";
inline constexpr std::string_view LocalId = "zeroth.local_id";
inline constexpr std::string_view LocalSize = "zeroth.local_size";
inline constexpr std::string_view EnqueuedLocalSize = "zeroth.enqueued_local_size";
inline constexpr std::string_view GroupId = "zeroth.group_id";
inline constexpr std::string_view NumGroups = "zeroth.num_groups";
// i64 name()
inline constexpr std::string_view GlobalLinearId = "zeroth.global_linear_id";
inline constexpr std::string_view LocalLinearId = "zeroth.local_linear_id";
// i32 name()
inline constexpr std::string_view WorkDim = "zeroth.work_dim";
inline constexpr std::string_view SubGroupSize = "zeroth.sub_group_size";
inline constexpr std::string_view SubGroupMaxSize = "zeroth.sub_group_max_size";
inline constexpr std::string_view NumSubGroups = "zeroth.num_sub_groups";
inline constexpr std::string_view NumEnqueuedSubGroups = "zeroth.num_enqueued_sub_groups";
inline constexpr std::string_view SubGroupId = "zeroth.sub_group_id";
inline constexpr std::string_view SubGroupLocalId = "zeroth.sub_group_local_id";

// void name(i32 execution scope, i32 memory scope, i32 memory semantics), SPIR-V numbers (work-group 2, sub-group 3).
inline constexpr std::string_view Barrier = "zeroth.barrier";
// i64 name(i32 scope): a clock that only goes forward.
inline constexpr std::string_view ReadClock = "zeroth.read_clock";

// Group operations: <scope prefix><operation>.<type>, type in i1 i8 i16 i32 i64 f16 f32 f64; always scalar (the reader
// splits vectors). Sub-group operations act on the lanes that are active at the call (so they serve the non-uniform
// instructions too); work-group ones are reached by all work-items.
//   T reduce_X.T(T), T scan_inclusive_X.T(T), T scan_exclusive_X.T(T) with X in
//     add mul and or xor (integers; add mul also floats; and or xor also i1), min max (floats), smin smax umin umax
//   T clustered_reduce_X.T(T, i32 size)   sub-groups only; size is a power of two
//   i1 all(i1), i1 any(i1)
//   T broadcast.T(T, i32 lane)            sub-groups; lane is the same in all lanes
//   T broadcast.T(T, i64 x, i64 y, i64 z) work-groups; the value of the work-item with that local id
//   T broadcast_first.T(T)                sub-groups; value of the first active lane
//   T shuffle.T(T, i32 lane)              sub-groups; any lane per lane; an inactive or outside lane: any value, no
//   trap i64 ballot(i1)                        sub-groups; bit n is lane n, 0 for inactive lanes
inline constexpr std::string_view SubGroupPrefix = "zeroth.sub_group.";
inline constexpr std::string_view WorkGroupPrefix = "zeroth.work_group.";

// Generic pointers. ptr addrspace(3|1|0) name(ptr addrspace(4)): null unless it points into that space.
inline constexpr std::string_view ToLocal = "zeroth.to_local";
inline constexpr std::string_view ToGlobal = "zeroth.to_global";
inline constexpr std::string_view ToPrivate = "zeroth.to_private";

// Asynchronous copies by a whole group (or sub-group: scope 3):
//   ptr name(i32 scope, ptr as(d) destination, ptr as(s) source, i64 bytes per element, i64 elements,
//            i64 destination stride, i64 source stride, ptr event)   strides in elements, 1 is contiguous
// mangled by the spaces: zeroth.async_copy.p3.p1 and zeroth.async_copy.p1.p3. Complete when the wait returns.
inline constexpr std::string_view AsyncCopy = "zeroth.async_copy";
// void name(i32 scope, i32 count, ptr as(0|4) events); it does not order the work-items: the reader adds a barrier.
inline constexpr std::string_view WaitEvents = "zeroth.wait_group_events";

// i32 name(ptr addrspace(2) format, ...): C varargs without default promotions having been applied: integers below 32
// bits are widened to i32, half to float and float to double by the reader; vectors stay vectors; strings are pointers.
inline constexpr std::string_view Printf = "zeroth.printf";

// Built-in functions on scalars: zeroth.math.<OpenCL.std name>.<f16|f32|f64>; integer operands are i32, pointer
// operands (frexp, modf, sincos, lgamma_r, remquo, fract) are `ptr` to private memory of the reader's making.
inline constexpr std::string_view MathPrefix = "zeroth.math.";

// Images (image_abi.h); D in 1d 1d_array 1d_buffer 2d 2d_array 2d_depth 2d_array_depth 2d_msaa 2d_array_msaa 3d, T in
// f32 i32: integers are those of the image's format, signed or not.
//   <4 x T> zeroth.image.read.D.T(ptr as1 image, <4 x i32> coordinate, i32 lod, i32 sample)
//   <4 x T> zeroth.image.sample.D.T.i32|f32(ptr as1 image, ptr as2 sampler, <4 x i32|float> coordinate, float lod)
//   void    zeroth.image.write.D.T(ptr as1 image, <4 x i32> coordinate, <4 x T> texel, i32 lod)
//   i32 zeroth.image.block_read(ptr as1 image, i32 byte, i32 row, i32 bytes)   bits from that byte of the row on, up to the word's
//   end void zeroth.image.block_write(ptr as1 image, i32 byte, i32 row, i32 bits, i32 bytes) <4 x i32>
//   zeroth.image.size(ptr as1 image, i32 lod)   width, height or layers, depth or layers i32
//   zeroth.image.format|order|levels|samples(ptr as1 image)   numbers of SPIR-V's ImageChannel enumerations
// A literal sampler is the address of an internal constant zeroth_sampler.
inline constexpr std::string_view ImagePrefix = "zeroth.image.";

// Aligned 32-bit words at base + 4 * index, T in i32 v4i32 (four consecutive ones); index is not negative. Vectors of
// them are whole loads and stores where the work-items' words turn out to lie in a line, else gathers and scatters.
//   T zeroth.load_words.T(ptr base, i32 index)
//   void zeroth.store_words.T(ptr base, i32 index, T value)
inline constexpr std::string_view LoadWords = "zeroth.load_words.";
inline constexpr std::string_view StoreWords = "zeroth.store_words.";

// f32 zeroth.byte_fraction.f32(i32 word, i32 byte): byte 0 to 3 (a constant) of a word, divided by 255, rounded to
// nearest. Pure; widened to vectors of both types (zeroth.byte_fraction.v16f32).
inline constexpr std::string_view ByteFraction = "zeroth.byte_fraction.";

// Function metadata.
// !{!{!"kind", i32 address space, i64 size, i64 alignment, i64 offset, !"access", !"name", !"type", !"qualifiers"},
// ...} kind: value | pointer | local | image | sampler; access: "" | read_only | write_only | read_write.
inline constexpr std::string_view Arguments = "zeroth.arguments";
inline constexpr std::string_view ArgumentBlockSize = "zeroth.argument_block_size";   // !{i64}
inline constexpr std::string_view RequiredGroupSize = "reqd_work_group_size";         // !{i32, i32, i32}
inline constexpr std::string_view GroupSizeHint = "work_group_size_hint";             // !{i32, i32, i32}
inline constexpr std::string_view RequiredSubGroupSize = "intel_reqd_sub_group_size"; // !{i32}
inline constexpr std::string_view MaxGroupSize = "max_work_group_size";               // !{i32, i32, i32}
inline constexpr std::string_view Attributes = "zeroth.attributes";                   // !{!"text"} source attributes

} // namespace zeroth::dialect
