// Four components into one texel.
#pragma once

#include "image.hpp"

#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
namespace zeroth::builtins {

template <class T> inline void store_number(Image* image, i32 word, u32 byte, u32 bits) {
  auto* at = reinterpret_cast<u8*>(words(image) + word) + byte;
  *reinterpret_cast<T*>(at) = T(bits);
}

inline void store_sized(Image* image, i32 word, u32 byte, u32 bytes, u32 bits) {
  if (bytes == 1)
    store_number<u8>(image, word, byte, bits);
  else if (bytes == 2)
    store_number<u16>(image, word, byte, bits);
  else
    store_number<u32>(image, word, byte, bits);
}

// A float without sign and with five bits of exponent, rounded to nearest even: the exponent is brought into place by
// a multiplication that is exact or rounds far below the last bit.
inline u32 small_float(float value, u32 lift) {
  const u32 drop = 13 + lift;
  const u32 bits = bit_cast<u32>(value * 0x1p-112f);
  const u32 rounded = (bits + ((1u << (drop - 1)) - 1) + (bits >> drop & 1)) >> drop;
  const u32 infinite = 31u << (10 - lift);
  const u32 payload = bit_cast<u32>(value) >> drop & ((1u << (10 - lift)) - 1);
  u32 result = value < 65536.0f ? rounded : infinite;
  result = value > 0 ? result : 0;
  return value == value ? result : infinite | (payload ? payload : 1);
}

// Rounded to nearest even and saturated; NaN gives the lowest number or 0.
inline u32 normalized(const __attribute__((address_space(1))) zeroth_image_channel& channel, float value) {
  const float scaled = value == value ? value * channel.maximum : 0;
  return u32(i32(rint(clamp(scaled, channel.sign ? -channel.maximum - 1 : 0.0f, channel.maximum))));
}

inline u32 bits_of(Image* image, u32 number, float value) {
  const auto& channel = image->channel[number];
  switch (image->kind) {
  case ZEROTH_CHANNEL_FLOAT:
    return bit_cast<u32>(value);
  case ZEROTH_CHANNEL_HALF:
    return bit_cast<u16>(_Float16(value));
  case ZEROTH_CHANNEL_SMALL_FLOAT:
    return small_float(value, channel.lift);
  case ZEROTH_CHANNEL_NORMALIZED:
    return normalized(channel, value);
  default:
    return u32(i32(clamp(value, -2147483648.0f, 2147483520.0f)));
  }
}

// Saturated to the format's range.
inline u32 bits_of(Image* image, u32 number, i32 value) {
  const auto& channel = image->channel[number];
  const u32 top = channel.mask >> 1;
  if (channel.sign) return u32(clamp(value, -i32(top) - 1, i32(top)));
  return u32(value) < channel.mask ? u32(value) : channel.mask;
}

template <class T, class V> inline T component_of(const V& texel, u32 component) {
  T value = component == 0 ? texel.x : T(0);
  value = component == 1 ? texel.y : value;
  value = component == 2 ? texel.z : value;
  return component == 3 ? texel.w : value;
}

template <class T, class V> inline void write_any(Image* image, const Place& at, const V& texel) {
  const i32 row = row_start(image, at);
  const u32 start = u32(at.x) * image->texel_bytes;
  u32 whole = 0;
#pragma clang loop unroll(disable)
  for (u32 i = 0; i < image->channels; ++i) {
    const auto& channel = image->channel[i];
    const u32 bits = bits_of(image, i, component_of<T>(texel, channel.component)) & channel.mask;
    if (image->whole)
      whole |= bits << channel.shift;
    else
      store_sized(image, row, start + channel.byte, channel.bytes, bits);
  }
  if (image->whole) store_sized(image, row, start, image->texel_bytes, whole);
}

inline u32 byte_of(float value, u32 shift) { return u32(i32(rint(clamp(value * 255.0f, 0.0f, 255.0f)))) << shift; }

inline void write_bytes4(Image* image, const Place& at, const Float4& texel, bool swapped) {
  const float first = swapped ? texel.z : texel.x, third = swapped ? texel.x : texel.z;
  store_word(words(image), row_start(image, at) + at.x,
             byte_of(first, 0) | byte_of(texel.y, 8) | byte_of(third, 16) | byte_of(texel.w, 24));
}

inline void write_words4(Image* image, const Place& at, Int4 bits) {
  store_words4(words(image), row_start(image, at) + (at.x << 2), bits);
}

inline void write_texel(Image* image, const Place& at, const Float4& texel) {
  if (!at.inside) return;
  if ((image->texel & 3) == ZEROTH_TEXEL_BYTES4_UNORM)
    write_bytes4(image, at, texel, image->texel == ZEROTH_TEXEL_BYTES4_SWAPPED);
  else if (image->texel == ZEROTH_TEXEL_WORDS4)
    write_words4(image, at, bit_cast<Int4>(texel));
  else if (image->texel == ZEROTH_TEXEL_WORD)
    store_word(words(image), row_start(image, at) + at.x, bit_cast<u32>(float(texel.x)));
  else
    write_any<float>(image, at, texel);
}
inline void write_texel(Image* image, const Place& at, const Int4& texel) {
  if (!at.inside) return;
  if (image->texel == ZEROTH_TEXEL_WORDS4)
    write_words4(image, at, texel);
  else if (image->texel == ZEROTH_TEXEL_WORD)
    store_word(words(image), row_start(image, at) + at.x, u32(texel.x));
  else
    write_any<i32>(image, at, texel);
}

} // namespace zeroth::builtins
#pragma clang attribute pop
