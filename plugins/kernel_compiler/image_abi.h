/* Images and samplers as compiled kernels see them (C, no includes but stdint).
 *
 * An image argument is the address of a zeroth_image, a sampler argument that of a zeroth_sampler. The device makes
 * both and keeps them, unchanged, while kernels that were given them run. Texels lie in rows and slices in linear
 * order; the format is data: code is compiled once for all formats, with short ways for the common ones.
 */
#ifndef ZEROTH_IMAGE_ABI_H
#define ZEROTH_IMAGE_ABI_H

#include <stdint.h>

/* Texels that compiled code reads and writes in one piece; all others go channel by channel. */
enum {
  ZEROTH_TEXEL_ANY = 0,
  ZEROTH_TEXEL_BYTES4_UNORM = 1,  /* four bytes: x y z w */
  ZEROTH_TEXEL_WORD = 2,          /* (x, 0, 0, 1): one float or 32-bit integer */
  ZEROTH_TEXEL_WORDS4 = 3,        /* (x, y, z, w): four of them */
  ZEROTH_TEXEL_BYTES4_SWAPPED = 5 /* four bytes: z y x w */
};

/* What the bits of a channel mean. */
enum {
  ZEROTH_CHANNEL_INTEGER = 0,
  ZEROTH_CHANNEL_NORMALIZED = 1, /* at most 16 bits */
  ZEROTH_CHANNEL_HALF = 2,
  ZEROTH_CHANNEL_FLOAT = 3,
  ZEROTH_CHANNEL_SMALL_FLOAT = 4 /* no sign, five bits of exponent, `lift` bits less of mantissa than half */
};

/* Where a component of a texel that is read comes from, beyond channels 0 to 3. */
enum { ZEROTH_SELECT_ZERO = 4, ZEROTH_SELECT_ONE = 5 };

/* One channel as it is stored: bits `shift` and up of the little-endian number that starts at `byte` of the texel. No
 * channel crosses a multiple of 4 bytes. */
typedef struct zeroth_image_channel {
  uint32_t mask;      /* 2^bits - 1 */
  uint32_t sign;      /* the sign bit within the mask; 0: unsigned */
  float maximum;      /* of normalised channels: what stands for 1 */
  float inverse_high; /* 1 / maximum = high + low */
  float inverse_low;
  uint8_t byte, shift, bytes, lift; /* bytes: 1, 2 or 4, of the number */
  uint8_t component;                /* of a texel that is written, 0 to 3, or ZEROTH_SELECT_ZERO */
  uint8_t reserved[3];
} zeroth_image_channel;

/* Addressing modes have SPIR-V's numbers. */
enum {
  ZEROTH_ADDRESS_NONE = 0,
  ZEROTH_ADDRESS_CLAMP_TO_EDGE = 1,
  ZEROTH_ADDRESS_CLAMP = 2, /* to the border colour */
  ZEROTH_ADDRESS_REPEAT = 3,
  ZEROTH_ADDRESS_MIRROR = 4,
  ZEROTH_ADDRESS_MASK = 7,
  ZEROTH_SAMPLER_NORMALIZED = 8,
  ZEROTH_SAMPLER_LINEAR = 16
};

typedef struct zeroth_sampler {
  uint32_t bits;
} zeroth_sampler;

typedef struct zeroth_image {
  uint8_t* texels; /* aligned to 4 bytes */
  int32_t width;
  int32_t height;      /* layers of a 1D array; 1 if there is none */
  int32_t depth;       /* layers of a 2D array; 1 if there is none */
  int32_t row_words;   /* pitches in units of 4 bytes: of rows (layers of a 1D array) ... */
  int32_t slice_words; /* ... and of slices or layers; all words of an image number less than 2^31 */
  uint8_t texel;       /* ZEROTH_TEXEL_* */
  uint8_t kind;        /* ZEROTH_CHANNEL_*, the same for all channels */
  uint8_t texel_bytes;
  uint8_t channels;    /* stored ones, 1 to 4 */
  uint8_t whole;       /* channels share one number of texel_bytes (1, 2 or 4) and are written with one store */
  uint8_t select[4];   /* of each component that is read: channel or ZEROTH_SELECT_* */
  uint8_t order, type; /* numbers of SPIR-V's ImageChannelOrder and ImageChannelDataType, for queries */
  uint8_t reserved[1];
  zeroth_image_channel channel[4];
  zeroth_sampler sampler; /* of a bindless image that is a sampled one */
} zeroth_image;

#endif
