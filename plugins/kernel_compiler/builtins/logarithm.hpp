// ln(1 + f) for the mantissa of a number, and logarithms in twice the precision.
#pragma once

#include "exponential.hpp"

namespace zeroth::builtins {

// ln(1+f) - f for f in [sqrt(1/2)-1, sqrt(2)-1].
inline float log1p_tail(float f) {
  const float p = polynomial(f, 0x1.5556d8p-2f, -0x1.00038p-2f, 0x1.98d824p-3f, -0x1.5382a8p-3f, 0x1.317302p-3f,
                             -0x1.242fap-3f, 0x1.645d7cp-4f);
  const float square = f * f;
  return mad(square * f, p, -0.5f * square);
}
inline double log1p_tail(double f) {
  // With s = f/(2+f): ln(1+f) = f - f²/2 + s (f²/2 + s² C(s²)).
  const double s = f / (2 + f), z = s * s, half_square = 0.5 * f * f;
  const double c = polynomial(z, 0x1.5555555555555p-1, 0x1.9999999999d0cp-2, 0x1.249249243a044p-2, 0x1.c71c724abe534p-3,
                              0x1.745ce1fe31268p-3, 0x1.3b201b7be1319p-3, 0x1.0f680b0a71eacp-3, 0x1.0f06f3abf5781p-3);
  return mad(s, mad(z, c, half_square), -half_square);
}

// What a logarithm is outside of the positive finite numbers.
template <class T> inline T log_with_specials(T x, T result) {
  const T at_zero_or_below = x == 0 ? -infinity<T> : nan_value<T>;
  const T finite = x > 0 ? result : at_zero_or_below;
  return x == infinity<T> ? x : finite;
}

template <class T> inline T log(T x) {
  using C = ExpConstants<T>;
  const Split<T> s = split(x);
  const T f = s.m - 1;
  const T result = mad(s.e, C::ln2_hi, f + mad(s.e, C::ln2_lo, log1p_tail(f)));
  return log_with_specials(x, result);
}

template <class T> inline T log1p(T x) {
  using C = ExpConstants<T>;
  const T u = 1 + x;
  // What rounding took from 1 + x.
  const T lost = x >= 1 ? 1 - (u - x) : x - (u - 1);
  const Split<T> s = split(u);
  // For huge numbers the loss is nothing, and its factor must stay one.
  const IntOf<T> down = s.exponent > 100 ? IntOf<T>(100) : s.exponent;
  const T f = (s.m - 1) + lost * power_of_two<T>(-down);
  const T result = mad(s.e, C::ln2_hi, f + mad(s.e, C::ln2_lo, log1p_tail(f)));
  const T regular = s.exponent == 0 ? x + log1p_tail(x) : result;
  return x == 0 ? x : log_with_specials(u, regular);
}

// ln(x) for finite x > 0 with a relative error below 2^-35 and 2^-63.
inline float log_pair_series(float z) { return polynomial(z, 0x1.999ap-2f, 0x1.245282p-2f, 0x1.dfa076p-3f); }
inline double log_pair_series(double z) {
  return polynomial(z, 0x1.9999999999996p-2, 0x1.2492492492f4bp-2, 0x1.c71c71c597992p-3, 0x1.745d1828c4e4cp-3,
                    0x1.3b1364f225651p-3, 0x1.112068f42eceep-3, 0x1.de3e6bf3457d9p-4, 0x1.eabdb28273c62p-4);
}
template <class T> struct TwoThirds;
template <> struct TwoThirds<float> { static constexpr Pair<float> value{0x1.555556p-1f, -0x1.555556p-26f}; };
template <> struct TwoThirds<double> {
  static constexpr Pair<double> value{0x1.5555555555555p-1, 0x1.5555555555555p-55};
};

template <class T> inline Pair<T> log_pair(T x) {
  using C = ExpConstants<T>;
  const Split<T> parts = split(x);
  const T f = parts.m - 1;
  const Pair<T> d = fast_sum(parts.m > 1 ? parts.m : T(1), parts.m > 1 ? T(1) : parts.m);
  // s = f / (2 + f), with the remainder of the division as its lower half.
  const T s_hi = f / d.hi;
  const Pair<T> s = {s_hi, (fma(-s_hi, d.hi, f) - s_hi * d.lo) / d.hi};
  const Pair<T> z = multiply(s, s);
  // 2 s (1 + z/3 + z²/5 …): two terms in pairs, the small rest plainly.
  const Pair<T> c = fast_sum(TwoThirds<T>::value.hi, z.hi * log_pair_series(z.hi));
  const Pair<T> k = multiply(z, Pair<T>{c.hi, c.lo + TwoThirds<T>::value.lo});
  const Pair<T> two_k = fast_sum(T(2), k.hi);
  const Pair<T> mantissa = multiply(s, Pair<T>{two_k.hi, two_k.lo + k.lo});
  const Pair<T> exponent = fast_sum(parts.e * C::ln2_hi, parts.e * C::ln2_lo);
  return add(exponent, mantissa);
}

} // namespace zeroth::builtins
