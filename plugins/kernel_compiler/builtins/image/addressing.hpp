// From coordinates to places: OpenCL C 3.0, 6.15.15 and "Image Addressing and Filtering". The mode is the same for all
// work-items; within a mode there is no branch. Whatever comes in, NaN included, what comes out lies in the image.
#pragma once

#include "image.hpp"

#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
namespace zeroth::builtins {

// What a sampler says, and the limits that follow from it for one extent of an image.
struct Addressing {
  u32 bits;

  u32 mode() const { return bits & ZEROTH_ADDRESS_MASK; }
  bool normalized() const { return bits & ZEROTH_SAMPLER_NORMALIZED; }
  bool linear() const { return bits & ZEROTH_SAMPLER_LINEAR; }
  bool border() const { return mode() == ZEROTH_ADDRESS_CLAMP; }
};

// An index into one extent; `inside` is false only where the border begins.
struct Index {
  i32 at;
  bool inside;
};

inline Index settle(i32 index, i32 extent) {
  const i32 at = clamp(index, 0, extent - 1);
  return {at, at == index};
}

// The coordinate in texels, after repetition.
inline float unfold(Addressing how, float coordinate, i32 extent) {
  if (!how.normalized()) return coordinate; // nothing repeats
  float s = coordinate;
  if (how.mode() == ZEROTH_ADDRESS_REPEAT)
    s = s - floor(s);
  else if (how.mode() == ZEROTH_ADDRESS_MIRROR)
    s = fabs(s - 2.0f * rint(0.5f * s));
  return s * float(extent);
}

// A texel index from a number without a fraction: one too low or too high remains so, anything further comes near.
inline i32 to_index(float whole, i32 extent) { return i32(clamp(whole, -1.0f, float(extent))); }

inline Index limit(Addressing how, i32 index, i32 extent) {
  if (how.mode() == ZEROTH_ADDRESS_REPEAT) {
    index = index < 0 ? index + extent : index;
    index = index >= extent ? index - extent : index;
  }
  Index result = settle(index, extent);
  result.inside = result.inside || !how.border();
  return result;
}

struct Neighbour {
  Index index;
  float weight;
};
struct Neighbours {
  Index low, high;
  float weight; // of the higher one
  Neighbour side(bool upper) const {
    return {{upper ? high.at : low.at, upper ? high.inside : low.inside}, upper ? weight : 1 - weight};
  }
};
inline Neighbours alone(Index index) { return {index, index, 0}; }

// The nearest texel, or both around a coordinate that are to be filtered. Far outside both are the same texel or
// border.
inline Neighbours neighbours(Addressing how, float coordinate, i32 extent, bool linear) {
  const float u = unfold(how, coordinate, extent) - (linear ? 0.5f : 0.0f), whole = floor(u);
  Neighbours result = alone(limit(how, to_index(whole, extent), extent));
  if (linear) {
    result.high = limit(how, to_index(whole + 1, extent), extent);
    result.weight = u - whole;
  }
  return result;
}

inline Index layer_index(float coordinate, i32 layers) {
  return {i32(clamp(rint(coordinate), 0.0f, float(layers - 1))), true};
}
inline Index layer_index(i32 coordinate, i32 layers) { return {clamp(coordinate, 0, layers - 1), true}; }

// The shapes of images: how many coordinates are of texels, and whether the next one is a layer.
template <u32 Extents, bool Layered> struct Shape {
  static constexpr u32 extents = Extents;
  static constexpr bool has_y = Extents > 1, has_z = Extents > 2;
  static constexpr bool layer_y = Layered && Extents == 1, layer_z = Layered && Extents == 2;
};
using Line = Shape<1, false>;
using LineArray = Shape<1, true>;
using Plane = Shape<2, false>;
using PlaneArray = Shape<2, true>;
using Space = Shape<3, false>;

} // namespace zeroth::builtins
#pragma clang attribute pop
