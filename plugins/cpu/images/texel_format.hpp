// What the API's image formats are in memory, in the terms of compiled code (image_abi.h).
//
// Bits of the packed layouts, lowest first: 10_10_10_2 is R G B A, 11_11_10 is R G B; 5_6_5 is B G R, 5_5_5_1 and
// 4_4_4_4 are B G R A, as graphics hardware has them. FLOAT of 11_11_10 has no signs and five bits of exponent.
#pragma once
#include <kernel_compiler/image_abi.h>
#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace zeroth::cpu {

// The part of a zeroth_image that follows from its format; nothing for formats that no kernel can be given.
std::optional<zeroth_image> texel_format(const ze_image_format_t& format);

// Can texels be filtered?
bool is_filterable(const zeroth_image& format);

// A plane of a planar layout: bytes per sample, and how often its width and height go into the image's.
struct Plane {
  unsigned char bytes, x_shift, y_shift;
};

// The planes of a planar layout; empty for all others. Kernels and copies reach them through views of one plane.
std::span<const Plane> planes_of(ze_image_format_layout_t layout);

} // namespace zeroth::cpu
