// zeroth.image.sample.D.T.C: read_image with a sampler. There are no mip levels, so the level of detail chooses
// nothing.
#include "addressing.hpp"
#include "texel_read.hpp"

#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
namespace zeroth::builtins {
namespace {

constexpr Index First{0, true};

template <class S, class V> inline Index layer_y(Image* image, const V& at) {
  if constexpr (S::layer_y) return layer_index(at.y, image->height);
  return First;
}
template <class S, class V> inline Index layer_z(Image* image, const V& at) {
  if constexpr (S::layer_z) return layer_index(at.z, image->depth);
  return First;
}

inline Place place_of(const Index& x, const Index& y, const Index& z) {
  return {x.at, y.at, z.at, x.inside && y.inside && z.inside};
}

// Whole coordinates know no repetition: that is of normalised ones.
template <class S> inline Place nearest_place(Image* image, Addressing how, const Int4& at) {
  const Index x = settle(at.x, image->width);
  Index y = layer_y<S>(image, at), z = layer_z<S>(image, at);
  if constexpr (S::has_y) y = settle(at.y, image->height);
  if constexpr (S::has_z) z = settle(at.z, image->depth);
  Place place = place_of(x, y, z);
  place.inside = place.inside || !how.border();
  return place;
}

template <class S, class T> inline Vector4<T> sample(Image* image, Addressing how, const Int4& at) {
  return read_texel(image, nearest_place<S>(image, how, at), T());
}

// The weighted sum of the neighbours, one after the other so that the code of a texel is there once; or the nearest.
template <class S, class T> inline Vector4<T> sample(Image* image, Addressing how, const Float4& at) {
  const bool linear = is_same<T, float> && how.linear();
  const Neighbours x = neighbours(how, at.x, image->width, linear);
  Neighbours y = alone(layer_y<S>(image, at)), z = alone(layer_z<S>(image, at));
  if constexpr (S::has_y) y = neighbours(how, at.y, image->height, linear);
  if constexpr (S::has_z) z = neighbours(how, at.z, image->depth, linear);
  Vector4<T> sum{0, 0, 0, 0};
#pragma clang loop unroll(disable)
  for (u32 corner = 0; corner < 1u << S::extents; ++corner) {
    const Neighbour i = x.side(corner & 1), j = y.side(corner & 2), k = z.side(corner & 4);
    const Vector4<T> texel = read_texel(image, place_of(i.index, j.index, k.index), T());
    if (!linear) return texel;
    const T weight = T(i.weight * j.weight * k.weight);
    sum = Vector4<T>{mad(weight, texel.x, sum.x), mad(weight, texel.y, sum.y), mad(weight, texel.z, sum.z),
                     mad(weight, texel.w, sum.w)};
  }
  return sum;
}

} // namespace
} // namespace zeroth::builtins
#pragma clang attribute pop

using namespace zeroth::builtins;

#define ZEROTH_SAMPLE(dimension, shape, name, type, coordinate, vector)                                                \
  ZEROTH_HIDDEN Vector4<type> zeroth_image_sample_##dimension##_##name##_##coordinate(                                 \
      Image* image, ConstantSampler* sampler, vector at, float) {                                                      \
    return sample<shape, type>(image, Addressing{sampler->bits}, at);                                                  \
  }
#define ZEROTH_SAMPLES(dimension, shape)                                                                               \
  ZEROTH_SAMPLE(dimension, shape, f32, float, f32, Float4)                                                             \
  ZEROTH_SAMPLE(dimension, shape, f32, float, i32, Int4)                                                               \
  ZEROTH_SAMPLE(dimension, shape, i32, i32, f32, Float4)                                                               \
  ZEROTH_SAMPLE(dimension, shape, i32, i32, i32, Int4)
ZEROTH_SAMPLES(1d, Line)
ZEROTH_SAMPLES(1d_array, LineArray)
ZEROTH_SAMPLES(2d, Plane)
ZEROTH_SAMPLES(2d_depth, Plane)
ZEROTH_SAMPLES(2d_array, PlaneArray)
ZEROTH_SAMPLES(2d_array_depth, PlaneArray)
ZEROTH_SAMPLES(3d, Space)
