// The ground under the image functions: vectors of four, the image as an argument, and access to its memory.
//
// Rules beyond those of real.hpp: branch on the image's and sampler's fields (they are the same for all work-items and
// stay branches), choose with ?: on everything else; index texels in words of 4 bytes by 32-bit numbers (gathers of
// them are fast); touch no byte outside the 4-byte words that hold the texel.
#pragma once

#include "../../image_abi.h"
#include "../real.hpp"

// One function of each export: what the image is stays visible in it (see link_builtins.cpp).
#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
namespace zeroth::builtins {

typedef float Float4 __attribute__((ext_vector_type(4)));
typedef i32 Int4 __attribute__((ext_vector_type(4)));
typedef Int4 LooseInt4 __attribute__((aligned(4)));

using u8 = unsigned char;
using u16 = unsigned short;
template <class A, class B> inline constexpr bool is_same = false;
template <class A> inline constexpr bool is_same<A, A> = true;
template <class T> struct VectorOf;
template <> struct VectorOf<float> { using Type = Float4; };
template <> struct VectorOf<i32> { using Type = Int4; };
template <class T> using Vector4 = typename VectorOf<T>::Type;

using Image = __attribute__((address_space(1))) const zeroth_image;
using ConstantSampler = __attribute__((address_space(2))) const zeroth_sampler;

// Words and groups of four words at 32-bit indices. Code generation makes vectors of them: one load or store where the
// work-items' words lie in a line, which it tells at run time, else gathers and scatters (dialect.hpp).
extern "C" {
u32 load_word(const u32*, i32) __asm__("zeroth.load_words.i32") __attribute__((pure, nothrow));
Int4 load_words4(const u32*, i32) __asm__("zeroth.load_words.v4i32") __attribute__((pure, nothrow));
void store_word(u32*, i32, u32) __asm__("zeroth.store_words.i32") __attribute__((nothrow));
void store_words4(u32*, i32, Int4) __asm__("zeroth.store_words.v4i32") __attribute__((nothrow));
float byte_fraction(u32 word, u32 byte) __asm__("zeroth.byte_fraction.f32") __attribute__((const, nothrow));
}

// A place in an image: within it, always. `inside` says whether this is where the program wanted to go.
struct Place {
  i32 x, y, z;
  bool inside;
};

inline i32 clamp(i32 x, i32 low, i32 high) {
  x = x > low ? x : low;
  return x < high ? x : high;
}
// NaN gives `low`.
inline float clamp(float x, float low, float high) {
  x = x > low ? x : low;
  return x < high ? x : high;
}

inline u32* words(Image* image) { return reinterpret_cast<u32*>(image->texels); }
inline i32 row_start(Image* image, const Place& at) { return at.y * image->row_words + at.z * image->slice_words; }

} // namespace zeroth::builtins
#pragma clang attribute pop
