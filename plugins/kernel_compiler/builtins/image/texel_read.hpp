// One texel as four components. Places outside give the border: all stored channels 0.
#pragma once

#include "image.hpp"

#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
namespace zeroth::builtins {

// The bits of a channel, from the aligned word that holds it.
inline u32 load_channel(Image* image, const Place& at, u32 number) {
  const auto& channel = image->channel[number];
  const u32 byte = u32(at.x) * image->texel_bytes + channel.byte;
  const u32 word = load_word(words(image), row_start(image, at) + i32(byte >> 2));
  const u32 bits = word >> (((byte & 3) << 3) + channel.shift) & channel.mask;
  return at.inside ? bits : 0;
}

inline i32 sign_extended(Image* image, u32 bits, u32 number) {
  const u32 sign = image->channel[number].sign;
  return i32((bits ^ sign) - sign);
}

// The exponent is moved to where floats have it, and scaled; what is no number keeps its bits.
inline float from_small_float(u32 bits, u32 lift) {
  const u32 moved = bits << (13 + lift);
  const float special = bit_cast<float>(0x7f800000 | (moved & 0x7fffff));
  return bits >= 31u << (10 - lift) ? special : bit_cast<float>(moved) * 0x1p112f;
}

inline float number_of(Image* image, u32 bits, u32 number, float) {
  const auto& channel = image->channel[number];
  switch (image->kind) {
  case ZEROTH_CHANNEL_FLOAT:
    return bit_cast<float>(bits);
  case ZEROTH_CHANNEL_HALF:
    return float(bit_cast<_Float16>(u16(bits)));
  case ZEROTH_CHANNEL_SMALL_FLOAT:
    return from_small_float(bits, channel.lift);
  case ZEROTH_CHANNEL_NORMALIZED: {
    const float value = float(sign_extended(image, bits, number));
    return at_least(fma(value, channel.inverse_high, value * channel.inverse_low), -1.0f);
  }
  default:
    return float(sign_extended(image, bits, number));
  }
}
inline i32 number_of(Image* image, u32 bits, u32 number, i32) { return sign_extended(image, bits, number); }

template <class T> inline Vector4<T> read_any(Image* image, const Place& at) {
  T x = 0, y = 0, z = 0, w = 0;
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < 4; ++i) {
    const u32 source = image->select[i];
    T value = source == ZEROTH_SELECT_ONE ? T(1) : T(0);
    if (source < 4) value = number_of(image, load_channel(image, at, source), source, T());
    x = i == 0 ? value : x;
    y = i == 1 ? value : y;
    z = i == 2 ? value : z;
    w = i == 3 ? value : w;
  }
  return Vector4<T>{x, y, z, w};
}

inline Float4 read_bytes4(Image* image, const Place& at, bool swapped) {
  u32 word = load_word(words(image), row_start(image, at) + at.x);
  word = at.inside ? word : 0;
  const float first = byte_fraction(word, 0), third = byte_fraction(word, 2);
  return Float4{swapped ? third : first, byte_fraction(word, 1), swapped ? first : third, byte_fraction(word, 3)};
}

template <class T> inline Vector4<T> read_words4(Image* image, const Place& at) {
  const Int4 bits = load_words4(words(image), row_start(image, at) + (at.x << 2));
  const Int4 known{at.inside ? bits.x : 0, at.inside ? bits.y : 0, at.inside ? bits.z : 0, at.inside ? bits.w : 0};
  return bit_cast<Vector4<T>>(known);
}

template <class T> inline Vector4<T> read_word(Image* image, const Place& at) {
  const u32 word = load_word(words(image), row_start(image, at) + at.x);
  return Vector4<T>{bit_cast<T>(at.inside ? word : 0), 0, 0, 1};
}

inline Float4 read_texel(Image* image, const Place& at, float) {
  if ((image->texel & 3) == ZEROTH_TEXEL_BYTES4_UNORM)
    return read_bytes4(image, at, image->texel == ZEROTH_TEXEL_BYTES4_SWAPPED);
  if (image->texel == ZEROTH_TEXEL_WORDS4) return read_words4<float>(image, at);
  if (image->texel == ZEROTH_TEXEL_WORD) return read_word<float>(image, at);
  return read_any<float>(image, at);
}
inline Int4 read_texel(Image* image, const Place& at, i32) {
  if (image->texel == ZEROTH_TEXEL_WORDS4) return read_words4<i32>(image, at);
  if (image->texel == ZEROTH_TEXEL_WORD) return read_word<i32>(image, at);
  return read_any<i32>(image, at);
}

} // namespace zeroth::builtins
#pragma clang attribute pop
