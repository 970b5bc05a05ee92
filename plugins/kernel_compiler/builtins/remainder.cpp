#include "real.hpp"

namespace zeroth::builtins {
namespace {

template <class T> inline IntOf<T> exponent_of(T magnitude) {
  using F = Format<T>;
  const bool denormal = magnitude < F::smallest_normal;
  const IntOf<T> b = bits(denormal ? magnitude * F::denormal_scale : magnitude);
  return (b >> F::mantissa) - F::bias - (denormal ? F::denormal_shift : 0);
}

// a modulo b for finite a >= 0, b > 0, exactly, and the low bits of the quotient. Each step takes up to `step` bits of
// the quotient off: the difference fits the format, so the fused operation is exact. One step is the common case.
template <class T> struct Division {
  T rest;
  u32 quotient;
};
template <class T> inline Division<T> divide(T a, T b) {
  constexpr int step = sizeof(T) == 4 ? 22 : 51; // as many as leave two factors for the largest shift
  u32 quotient = 0;
  const IntOf<T> low = exponent_of(b);
  while (a >= b) {
    IntOf<T> shift = exponent_of(a) - low - step;
    shift = shift < 0 ? 0 : shift;
    // In two factors: b may be so small that one power of two does not reach.
    const T scaled = b * power_of_two<T>(shift >> 1) * power_of_two<T>(shift - (shift >> 1));
    T q = trunc(a / scaled);
    T rest = fma(-q, scaled, a);
    q = rest < 0 ? q - 1 : q;
    a = rest < 0 ? rest + scaled : rest;
    quotient += shift < 32 ? u32(IntOf<T>(q)) << u32(shift) : 0u;
  }
  return {a, quotient};
}

template <class T> inline bool undefined(T x, T y) { return !is_finite(x) || is_nan(y) || y == 0; }

template <class T> inline T fmod(T x, T y) {
  const bool none = undefined(x, y);
  const T a = none ? T(0) : fabs(x), b = none ? T(1) : fabs(y);
  const T rest = b == infinity<T> ? a : divide(a, b).rest;
  return none ? nan_value<T> : copysign(rest, x);
}

template <class T> inline T remquo(T x, T y, i32* quotient) {
  const bool none = undefined(x, y);
  const T a = none ? T(0) : fabs(x), b = none ? T(1) : fabs(y);
  const bool unlimited = b == infinity<T>;
  const Division<T> d = divide(unlimited ? T(0) : a, unlimited ? T(1) : b);
  const T rest = unlimited ? a : d.rest;
  // Nearest, ties to even; the comparison with the other remainder is exact.
  const T other = b - rest;
  const bool up = !unlimited && (rest > other || (rest == other && (d.quotient & 1)));
  const u32 q = (d.quotient + up) & 0x7f;
  const i32 signed_quotient = sign_bit(x) != sign_bit(y) ? -i32(q) : i32(q);
  *quotient = none ? 0 : signed_quotient;
  const T magnitude = up ? rest - b : rest;
  const T result = sign_bit(x) ? -magnitude : magnitude;
  return none ? nan_value<T> : result;
}

template <class T> inline T remainder(T x, T y) {
  i32 quotient;
  return remquo(x, y, &quotient);
}

} // namespace
} // namespace zeroth::builtins

ZEROTH_BINARY(fmod, fmod)
ZEROTH_BINARY(remainder, remainder)

ZEROTH_HIDDEN float zeroth_math_remquo_f32(float x, float y, int* q) { return zeroth::builtins::remquo(x, y, q); }
ZEROTH_HIDDEN double zeroth_math_remquo_f64(double x, double y, int* q) { return zeroth::builtins::remquo(x, y, q); }
ZEROTH_HIDDEN zeroth_half zeroth_math_remquo_f16(zeroth_half x, zeroth_half y, int* q) {
  return zeroth_half(zeroth::builtins::remquo(float(x), float(y), q));
}
