#include "real.hpp"

namespace zeroth::builtins {
namespace {

template <class T> inline T rsqrt(T x) { return 1 / sqrt(x); }

// |x| = m * 2^e with m in [1, 2), denormals included; 0, infinity and NaN give what they like.
template <class T> struct Parts {
  T m;
  IntOf<T> e;
};
template <class T> inline Parts<T> parts(T magnitude) {
  using F = Format<T>;
  const bool denormal = magnitude < F::smallest_normal;
  const IntOf<T> b = bits(denormal ? magnitude * F::denormal_scale : magnitude);
  const IntOf<T> one = IntOf<T>(F::bias) << F::mantissa;
  const IntOf<T> fraction = (IntOf<T>(1) << F::mantissa) - 1;
  return {from_bits<T>((b & fraction) | one), (b >> F::mantissa) - F::bias - (denormal ? F::denormal_shift : 0)};
}

template <class T> inline T cbrt(T x) {
  const Parts<T> p = parts(fabs(x));
  // e = 3 third + rest with rest 0, 1 or 2; the offset keeps the dividend positive, the factor is 2^17/3 rounded up.
  constexpr i32 offset = 1200;
  const i32 shifted = i32(p.e) + offset, third = i32(u32(shifted) * 43691u >> 17), rest = shifted - 3 * third;
  const T target = p.m * (rest == 0 ? T(1) : rest == 1 ? T(2) : T(4));
  const T factor = rest == 0 ? T(1) : rest == 1 ? T(0x1.428a2f98d728bp0) : T(0x1.965fea53d6e3dp0);
  T y = factor *
        T(polynomial(p.m, T(0x1.0392dap-1), T(0x1.6fb1bap-1), T(-0x1.33d334p-2), T(0x1.60a0bcp-4), T(-0x1.5b772p-7)));
  // Newton's steps: 17 bits become 34 and 68; the residue of the last is computed in pairs.
  if (sizeof(T) == 8) y = y - (y * y * y - target) / (3 * y * y);
  const Pair<T> square = two_product(y, y);
  const T residue = fma(square.hi, y, -target) + square.lo * y;
  y = y - residue / (3 * square.hi);
  const T result = copysign(y * power_of_two<T>(third - offset / 3), x);
  return x == 0 || !is_finite(x) ? x : result;
}

template <class T> inline T hypot(T x, T y) {
  using F = Format<T>;
  const T ax = fabs(x), ay = fabs(y);
  const T large = ax > ay ? ax : ay, small = ax > ay ? ay : ax;
  // Scaling by the exponent of the larger makes its square a number between 1 and 4.
  IntOf<T> e = (bits(large) >> F::mantissa) - F::bias;
  e = e < 1 - F::bias ? IntOf<T>(1 - F::bias) : e > F::bias - 1 ? IntOf<T>(F::bias - 1) : e;
  const T down = power_of_two<T>(-e), a = large * down, b = small * down;
  const T result = sqrt(fma(a, a, b * b)) * power_of_two<T>(e);
  const T undefined = is_nan(x) || is_nan(y) ? x + y : result;
  return ax == infinity<T> || ay == infinity<T> ? infinity<T> : undefined;
}

} // namespace
} // namespace zeroth::builtins

ZEROTH_UNARY(rsqrt, rsqrt)
ZEROTH_UNARY(cbrt, cbrt)
ZEROTH_BINARY(hypot, hypot)
