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

// Bytes of rows, whatever they mean: outside, reads see the edge and writes do nothing.
ZEROTH_HIDDEN i32 zeroth_image_block_read(Image* image, i32 byte, i32 row, i32 bytes) {
  const i32 at = clamp(byte, 0, image->width * image->texel_bytes - bytes);
  const u32 word = load_word(words(image), clamp(row, 0, image->height - 1) * image->row_words + (at >> 2));
  return i32(word >> ((at & 3) << 3));
}
ZEROTH_HIDDEN void zeroth_image_block_write(Image* image, i32 byte, i32 row, i32 bits, i32 bytes) {
  const bool inside = byte >= 0 && byte + bytes <= image->width * image->texel_bytes && row >= 0 && row < image->height;
  if (inside) store_sized(image, row * image->row_words, u32(byte), u32(bytes), u32(bits));
}

ZEROTH_HIDDEN Int4 zeroth_image_size(Image* image, i32) { return Int4{image->width, image->height, image->depth, 1}; }
ZEROTH_HIDDEN i32 zeroth_image_format(Image* image) { return image->type; }
ZEROTH_HIDDEN i32 zeroth_image_order(Image* image) { return image->order; }
ZEROTH_HIDDEN i32 zeroth_image_levels(Image*) { return 1; }
ZEROTH_HIDDEN i32 zeroth_image_samples(Image*) { return 1; }
