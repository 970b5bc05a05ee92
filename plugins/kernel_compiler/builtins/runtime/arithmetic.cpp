// What LLVM calls where the CPU has no instruction: fused multiply-add, conversions of half precision, 128-bit
// division. Correct first; a CPU of the last ten years never comes here.
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long;
using u128 = unsigned __int128;
using i128 = __int128;

namespace {

template <class To, class From> To bit_cast(From value) { return __builtin_bit_cast(To, value); }

struct DivisionResult {
  u128 quotient, rest;
};
DivisionResult divide(u128 a, u128 b) {
  u128 quotient = 0, rest = 0;
  for (int bit = 127; bit >= 0; --bit) {
    rest = rest << 1 | (a >> bit & 1);
    if (rest < b) continue;
    rest -= b;
    quotient |= u128{1} << bit;
  }
  return {quotient, rest};
}
u128 magnitude(i128 v) { return v < 0 ? -u128(v) : u128(v); }

// Rounds the bits of a float (or the top of a double) to half precision, to nearest even.
u16 to_half(u64 b, int mantissa, int bias) {
  const int exponent_bits = mantissa == 23 ? 8 : 11;
  const u16 sign = u16((b >> (mantissa + exponent_bits)) << 15);
  const u64 fraction = b & ((u64{1} << mantissa) - 1);
  const int field = int(b >> mantissa) & ((1 << exponent_bits) - 1);
  if (field == (1 << exponent_bits) - 1)
    return u16(sign | 0x7c00 | (fraction ? 0x200 | u16(fraction >> (mantissa - 10)) : 0));
  const int exponent = field - bias;
  if (exponent > 15) return sign | 0x7c00;
  if (field == 0 || exponent < -25) return sign;
  const u64 significand = fraction | u64{1} << mantissa;
  const int drop = mantissa - 10 + (exponent < -14 ? -14 - exponent : 0);
  const u64 kept = significand >> drop, lost = significand & ((u64{1} << drop) - 1), half = u64{1} << (drop - 1);
  const u64 rounded = kept + (lost > half || (lost == half && (kept & 1)));
  // The implicit bit, or a carry into it, adds one to the exponent field by itself.
  const u64 base = exponent < -14 ? 0 : u64(exponent + 14) << 10;
  return u16(sign | (base + rounded));
}

float from_half(u16 h) {
  const u32 sign = u32(h & 0x8000) << 16, field = h >> 10 & 31, fraction = h & 0x3ff;
  if (field == 31) return bit_cast<float>(sign | 0x7f800000 | fraction << 13);
  if (field != 0) return bit_cast<float>(sign | (field + 112) << 23 | fraction << 13);
  const float magnitude = float(int(fraction)) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

struct Sum {
  double hi, lo;
};
Sum two_sum(double a, double b) {
  const double s = a + b, bb = s - a;
  return {s, (a - (s - bb)) + (b - bb)};
}
// Exact product of numbers whose product is far from over- and underflow, by halves of 26 bits.
Sum two_product(double a, double b) {
  const auto upper = [](double x) {
    const double shifted = x * 0x1.0000002p27;
    return shifted - (shifted - x);
  };
  const double p = a * b, ah = upper(a), al = a - ah, bh = upper(b), bl = b - bh;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}
// A sum whose last bit remembers that something was lost: rounding it once more then rounds correctly.
double round_to_odd(Sum s) {
  const u64 b = bit_cast<u64>(s.hi);
  if (s.lo == 0 || (b & 1)) return s.hi;
  const bool away = (s.lo > 0) == (s.hi > 0);
  return bit_cast<double>(away ? b + 1 : b - 1);
}

int exponent_of(double x) { return int(bit_cast<u64>(x) >> 52 & 0x7ff) - 1023; }
double power_of_two(int n) { return bit_cast<double>(u64(n + 1023) << 52); }
// x * 2^n for x from 2^-110 to 4, with one rounding: of several factors only the last may make the result denormal.
double scaled(double x, int n) {
  if (n > 1000) return x * 0x1p1000 * power_of_two(n > 2000 ? 1000 : n - 1000);
  if (n >= -1000) return x * power_of_two(n);
  return x * power_of_two(n < -1900 ? -1000 : n + 900) * 0x1p-900;
}
// Into [1, 2) by a power of two, which is returned.
int normalize(double& x) {
  int shift = 0;
  if (exponent_of(x) == -1023) {
    x *= 0x1p60;
    shift = -60;
  }
  const int e = exponent_of(x);
  x = scaled(x, -e);
  return e + shift;
}

} // namespace

extern "C" {

u128 __udivti3(u128 a, u128 b) { return divide(a, b).quotient; }
u128 __umodti3(u128 a, u128 b) { return divide(a, b).rest; }
i128 __divti3(i128 a, i128 b) {
  const u128 q = divide(magnitude(a), magnitude(b)).quotient;
  return i128((a < 0) != (b < 0) ? -q : q);
}
i128 __modti3(i128 a, i128 b) {
  const u128 r = divide(magnitude(a), magnitude(b)).rest;
  return i128(a < 0 ? -r : r);
}

// The calling convention of half precision: in the low bits of a vector register.
_Float16 __truncsfhf2(float x) { return bit_cast<_Float16>(to_half(bit_cast<u32>(x), 23, 127)); }
_Float16 __truncdfhf2(double x) { return bit_cast<_Float16>(to_half(bit_cast<u64>(x), 52, 1023)); }
float __extendhfsf2(_Float16 x) { return from_half(bit_cast<u16>(x)); }

float fmaf(float a, float b, float c) {
  // The product is exact in double; the sum is rounded to odd, so that the last rounding is the only one.
  const double product = double(a) * double(b);
  return float(round_to_odd(two_sum(product, double(c))));
}

double fma(double a, double b, double c) {
  const auto finite = [](double x) { return __builtin_fabs(x) < __builtin_inf(); };
  if (a == 0 || b == 0 || !finite(a) || !finite(b)) return a * b + c;
  if (!finite(c)) return c;
  if (c == 0) return a * b;
  const double whole_c = c;
  const int scale = normalize(a) + normalize(b), c_scale = normalize(c);
  const Sum product = two_product(a, b);
  const int difference = c_scale - scale;
  // Out of each other's reach the smaller only breaks ties: c has none, and next to the product a sliver of the right
  // sign is as good as c.
  if (difference > 160) return whole_c;
  const double near_c = difference < -160 ? __builtin_copysign(0x1p-140, c) : scaled(c, difference);
  // Everything below the leading part is rounded to odd, so that the final addition rounds as if it saw all of it.
  const Sum low = two_sum(near_c, product.lo), high = two_sum(product.hi, low.hi);
  const double rest = round_to_odd(two_sum(low.lo, high.lo));
  const double sum = high.hi + rest;
  // A denormal result is rounded by the scaling instead.
  const bool denormal = sum != 0 && exponent_of(sum) + scale < -1022;
  return scaled(denormal ? round_to_odd(two_sum(high.hi, rest)) : sum, scale);
}

} // extern "C"
