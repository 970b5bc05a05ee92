// zeroth.image.read.D.T, zeroth.image.write.D.T and queries. Reading outside gives the border, writing there does
// nothing.
#include "addressing.hpp"
#include "texel_read.hpp"
#include "texel_write.hpp"

#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
namespace zeroth::builtins {
namespace {

template <class S> inline Place place_of(Image* image, const Int4& at) {
  const Index x = settle(at.x, image->width);
  Index y{0, true}, z{0, true};
  if constexpr (S::has_y || S::layer_y) y = settle(at.y, image->height);
  if constexpr (S::has_z || S::layer_z) z = settle(at.z, image->depth);
  return {x.at, y.at, z.at, x.inside && y.inside && z.inside};
}

} // namespace
} // namespace zeroth::builtins
#pragma clang attribute pop

using namespace zeroth::builtins;

#define ZEROTH_ACCESS(dimension, shape, name, type)                                                                    \
  ZEROTH_HIDDEN Vector4<type> zeroth_image_read_##dimension##_##name(Image* image, Int4 at, i32, i32) {                \
    return read_texel(image, place_of<shape>(image, at), type());                                                      \
  }                                                                                                                    \
  ZEROTH_HIDDEN void zeroth_image_write_##dimension##_##name(Image* image, Int4 at, Vector4<type> texel, i32) {        \
    write_texel(image, place_of<shape>(image, at), texel);                                                             \
  }
#define ZEROTH_ACCESSES(dimension, shape)                                                                              \
  ZEROTH_ACCESS(dimension, shape, f32, float)                                                                          \
  ZEROTH_ACCESS(dimension, shape, i32, i32)
ZEROTH_ACCESSES(1d, Line)
ZEROTH_ACCESSES(1d_buffer, Line)
ZEROTH_ACCESSES(1d_array, LineArray)
ZEROTH_ACCESSES(2d, Plane)
ZEROTH_ACCESSES(2d_depth, Plane)
ZEROTH_ACCESSES(2d_array, PlaneArray)
ZEROTH_ACCESSES(2d_array_depth, PlaneArray)
ZEROTH_ACCESSES(3d, Space)

ZEROTH_HIDDEN Int4 zeroth_image_size(Image* image, i32) { return Int4{image->width, image->height, image->depth, 1}; }
ZEROTH_HIDDEN i32 zeroth_image_format(Image* image) { return image->type; }
ZEROTH_HIDDEN i32 zeroth_image_order(Image* image) { return image->order; }
ZEROTH_HIDDEN i32 zeroth_image_levels(Image*) { return 1; }
ZEROTH_HIDDEN i32 zeroth_image_samples(Image*) { return 1; }
