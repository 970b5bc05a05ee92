#include "trig_reduction.hpp"

namespace zeroth::builtins {
namespace {

// 64 zero bits, then the fraction bits of 2/pi, in words of 32.
constexpr u32 two_over_pi[] = {
#include "two_over_pi.inc"
};

constexpr int window_words = 6;

inline double unsigned_to_double(u64 word) { return bit_cast<double>(word | 0x4330000000000000u) - 0x1p52; }

} // namespace

// x = M * 2^e with an integer M below 2^53. Bits of 2/pi that M * 2^e turns into multiples of 4 do not change the
// quadrant; the 192 after them give the product modulo 4 with at least 62 + 75 bits of fraction.
__attribute__((visibility("hidden"))) Angle<double> reduce_huge(double x) {
  const u64 raw = u64(bits(x)) & ~(1ul << 63);
  const int exponent = int(raw >> 52) - 1075;
  const u64 mantissa = (raw & ((1ul << 52) - 1)) | 1ul << 52;
  const u64 m0 = mantissa & 0xffffffff, m1 = mantissa >> 32;

  // The first bit that matters has the weight 2 after multiplication; infinity reads inside of the table, too.
  int position = exponent - 2 + 64;
  position = position < 0 ? 0 : position > 1150 ? 1150 : position;
  const int word = position >> 5, shift = position & 31;
  u64 window[window_words]; // most significant first
  for (int i = 0; i < window_words; ++i) {
    const u64 both = u64(two_over_pi[word + i]) << 32 | two_over_pi[word + i + 1];
    window[i] = (both << shift) >> 32;
  }

  // product = mantissa * window modulo 2^192, least significant limb first
  u64 limb[window_words], carry = 0;
  for (int i = 0; i < window_words; ++i) {
    const u64 w = window[window_words - 1 - i];
    const u64 before = i ? window[window_words - i] : 0;
    // Each partial product is below 2^64; their halves are summed separately so that nothing overflows.
    const u64 low = m0 * w, high = m1 * before;
    const u64 sum = (low & 0xffffffff) + (high & 0xffffffff) + (carry & 0xffffffff);
    limb[i] = sum & 0xffffffff;
    carry = (low >> 32) + (high >> 32) + (carry >> 32) + (sum >> 32);
  }

  // Top two bits: the quadrant; the rest a fraction of it, made symmetric around 0.
  u64 top = limb[5] << 32 | limb[4], next = limb[3] << 32 | limb[2];
  i64 quadrant = i64(top >> 62);
  top = top << 2 | next >> 62;
  next = next << 2;
  const bool upper = top >> 63;
  quadrant += upper;
  top = upper ? ~top : top;
  next = upper ? ~next : next;
  const double fraction = (unsigned_to_double(top >> 32) * 0x1p-32 + unsigned_to_double(top & 0xffffffff) * 0x1p-64) +
                          (unsigned_to_double(next >> 32) * 0x1p-96 + unsigned_to_double(next & 0xffffffff) * 0x1p-128);
  const double r = fraction * HalfPi<double>::part[0];
  const bool negative = sign_bit(x);
  return {upper != negative ? -r : r, negative ? -quadrant : quadrant};
}

} // namespace zeroth::builtins
