#include "logarithm.hpp"

namespace zeroth::builtins {
namespace {

// x^y for finite x > 0 and any y that is not NaN.
template <class T> inline T positive_power(T x, Pair<T> y) {
  // Larger exponents give 0, 1 or infinity already here; without the bound products would overflow.
  constexpr T bound = sizeof(T) == 4 ? T(0x1p33) : T(0x1p65);
  const bool beyond = !(fabs(y.hi) < bound);
  const Pair<T> bounded = {beyond ? copysign(bound, y.hi) : y.hi, beyond ? T(0) : y.lo};
  return exp_pair(multiply(log_pair(x), bounded));
}

template <class T> inline bool is_integer(T y) { return trunc(y) == y; }
template <class T> inline bool is_odd(T y) { return is_integer(y) && !is_integer(y * T(0.5)); }

// The magnitude |x|^y including zero and infinity of either.
template <class T> inline T power_magnitude(T magnitude, Pair<T> y) {
  const bool zero = magnitude == 0, infinite = magnitude == infinity<T>;
  const T inside = positive_power(zero || infinite ? T(1) : magnitude, y);
  const T outside = zero == (y.hi > 0) ? T(0) : infinity<T>;
  return zero || infinite ? outside : inside;
}

template <class T> inline T pow(T x, T y) {
  T result = power_magnitude(fabs(x), Pair<T>{y, T(0)});
  result = is_odd(y) && sign_bit(x) ? -result : result;
  result = x < 0 && x > -infinity<T> && is_finite(y) && !is_integer(y) ? nan_value<T> : result;
  result = x == -1 && !is_finite(y) ? T(1) : result;
  result = is_nan(x) || is_nan(y) ? x + y : result;
  return y == 0 || x == 1 ? T(1) : result;
}

template <class T> inline T powr(T x, T y) {
  T result = power_magnitude(fabs(x), Pair<T>{y, T(0)});
  result = y == 0 ? T(1) : result;
  const bool undefined = x < 0 || (y == 0 && (x == 0 || x == infinity<T>)) || (x == 1 && !is_finite(y));
  result = undefined ? nan_value<T> : result;
  return is_nan(x) || is_nan(y) ? x + y : result;
}

// n as the exact sum of two numbers.
template <class T> inline Pair<T> as_pair(int n) {
  const int low = n & 0xfff;
  return fast_sum(T(n - low), T(low));
}

template <class T> inline T pown(T x, int n) {
  T result = power_magnitude(fabs(x), as_pair<T>(n));
  result = (n & 1) && sign_bit(x) ? -result : result;
  result = is_nan(x) ? x : result;
  return n == 0 ? T(1) : result;
}

template <class T> inline T rootn(T x, int n) {
  const Pair<T> d = as_pair<T>(n == 0 ? 1 : n);
  const T hi = 1 / d.hi;
  const T lo = (fma(-hi, d.hi, T(1)) - hi * d.lo) / d.hi;
  T result = power_magnitude(fabs(x), Pair<T>{hi, lo});
  const bool odd = n & 1;
  result = odd && sign_bit(x) ? -result : result;
  const bool undefined = n == 0 || (x < 0 && !odd);
  return is_nan(x) ? x : undefined ? nan_value<T> : result;
}

} // namespace
} // namespace zeroth::builtins

ZEROTH_BINARY(pow, pow)
ZEROTH_BINARY(powr, powr)
ZEROTH_WITH_INT(pown, pown)
ZEROTH_WITH_INT(rootn, rootn)
