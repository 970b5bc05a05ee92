#include "real.hpp"

namespace zeroth::builtins {
namespace {

template <class T> struct Pi;
template <> struct Pi<float> {
  static constexpr Pair<float> whole{0x1.921fb6p1f, -0x1.777a5cp-24f}, half{0x1.921fb6p0f, -0x1.777a5cp-25f},
      quarter{0x1.921fb6p-1f, -0x1.777a5cp-26f};
  static constexpr float inverse = 0x1.45f306p-2f;
};
template <> struct Pi<double> {
  static constexpr Pair<double> whole{0x1.921fb54442d18p1, 0x1.1a62633145c07p-53},
      half{0x1.921fb54442d18p0, 0x1.1a62633145c07p-54}, quarter{0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
  static constexpr double inverse = 0x1.45f306dc9c883p-2;
};

// (atan(t) - t) / t³ as a function of t², |t| <= tan(pi/8).
inline float atan_series(float z) {
  return polynomial(z, -0x1.55554ap-2f, 0x1.9991e4p-3f, -0x1.23b9d6p-3f, 0x1.b227bp-4f, -0x1.f2f766p-5f);
}
inline double atan_series(double z) {
  return polynomial(z, -0x1.555555555553dp-2, 0x1.999999999586fp-3, -0x1.24924922ad822p-3, 0x1.c71c70e61c795p-4,
                    -0x1.745cf8ddd88a2p-4, 0x1.3b1119362319bp-4, -0x1.10ebb97d402bbp-4, 0x1.df0f5e340f8d8p-5,
                    -0x1.9cd3197186396p-5, 0x1.37d6a2129c4a6p-5, -0x1.256cacf010786p-6);
}

// atan(y / x) for y, x >= 0, not both 0 and not both infinite; as a pair for those who go on adding to it.
// One division after choosing between t, (t-1)/(t+1) and -1/t.
template <class T> inline Pair<T> atan_quotient(T y, T x) {
  const bool steep = y > x * T(0x1.3504f333f9de6p1), middle = y > x * T(0x1.a827999fcef32p-2);
  const T above = steep ? -x : middle ? y - x : y;
  const T below = steep ? y : middle ? y + x : x;
  const T t = above / below, z = t * t;
  const T base = steep ? Pi<T>::half.hi : middle ? Pi<T>::quarter.hi : T(0);
  const T base_low = steep ? Pi<T>::half.lo : middle ? Pi<T>::quarter.lo : T(0);
  const T rest = mad(z * t, atan_series(z), base_low);
  const Pair<T> sum = fast_sum(base == 0 ? t : base, base == 0 ? rest : t);
  return {sum.hi, base == 0 ? sum.lo : sum.lo + rest};
}

template <class T> inline T atan(T x) {
  const Pair<T> a = atan_quotient(fabs(x), T(1));
  return copysign(a.hi + a.lo, x);
}

template <class T> inline Pair<T> atan2_magnitude(T y, T x) {
  T ay = fabs(y), ax = fabs(x);
  const bool both_infinite = ay == infinity<T> && ax == infinity<T>, both_zero = ay == 0 && ax == 0;
  ay = both_infinite ? T(1) : ay;
  ax = both_infinite || both_zero ? T(1) : ax;
  // The middle form adds the two: keep the sum finite.
  const bool large = ay > 1 && ax > 1;
  const Pair<T> a = atan_quotient(large ? ay * T(0.25) : ay, large ? ax * T(0.25) : ax);
  const Pair<T> supplement = fast_sum(Pi<T>::whole.hi, -a.hi);
  const Pair<T> other = {supplement.hi, supplement.lo + (Pi<T>::whole.lo - a.lo)};
  return {sign_bit(x) ? other.hi : a.hi, sign_bit(x) ? other.lo : a.lo};
}
template <class T> inline T atan2(T y, T x) {
  const Pair<T> a = atan2_magnitude(y, x);
  return is_nan(x) || is_nan(y) ? x + y : copysign(a.hi + a.lo, y);
}

template <class T> inline T over_pi(Pair<T> a) { return mad(a.hi, Pi<T>::inverse, a.lo * Pi<T>::inverse); }
template <class T> inline T atanpi(T x) { return copysign(over_pi(atan_quotient(fabs(x), T(1))), x); }
template <class T> inline T atan2pi(T y, T x) {
  const T result = copysign(over_pi(atan2_magnitude(y, x)), y);
  return is_nan(x) || is_nan(y) ? x + y : result;
}

// (asin(s) - s) / s³ as a function of s² <= 1/4.
inline float asin_series(float z) {
  return polynomial(z, 0x1.5555c8p-3f, 0x1.330206p-4f, 0x1.747b72p-5f, 0x1.8c415ap-6f, 0x1.5959aap-5f);
}
inline double asin_series(double z) {
  return polynomial(z, 0x1.555555555539p-3, 0x1.333333336e80fp-4, 0x1.6db6db427a4f8p-5, 0x1.f1c72c38fb342p-6,
                    0x1.6e89f440197a7p-6, 0x1.1c6be1a687738p-6, 0x1.c6fdc1aaa5332p-7, 0x1.8ec2fca60444ep-7,
                    0x1.abcf5cd7c4303p-8, 0x1.3ff4a990b2acep-6, -0x1.09d32833a132cp-6, 0x1.056d6c813a1d3p-5);
}

// With s = |x| up to 1/2, and beyond that s = sqrt((1-|x|)/2), where asin|x| = pi/2 - 2 asin(s).
template <class T> struct AsinParts {
  bool small;
  T value; // asin(s)
};
template <class T> inline AsinParts<T> asin_parts(T x) {
  const T a = fabs(x);
  const bool small = a < T(0.5);
  const T z = small ? a * a : (1 - a) * T(0.5);
  const T s = small ? a : sqrt(z);
  return {small, mad(s * z, asin_series(z), s)};
}
template <class T> inline T asin(T x) {
  const AsinParts<T> p = asin_parts(x);
  const T outer = Pi<T>::half.hi - (2 * p.value - Pi<T>::half.lo);
  return copysign(p.small ? p.value : outer, x);
}
template <class T> inline T acos(T x) {
  const AsinParts<T> p = asin_parts(x);
  const T inner = Pi<T>::half.hi - (copysign(p.value, x) - Pi<T>::half.lo);
  const T outer = 2 * p.value;
  const T left = Pi<T>::whole.hi - (outer - Pi<T>::whole.lo);
  return p.small ? inner : x > 0 ? outer : left;
}
template <class T> inline T asinpi(T x) { return asin(x) * Pi<T>::inverse; }
template <class T> inline T acospi(T x) { return acos(x) * Pi<T>::inverse; }

} // namespace
} // namespace zeroth::builtins

ZEROTH_UNARY(atan, atan)
ZEROTH_UNARY(atanpi, atanpi)
ZEROTH_UNARY(asin, asin)
ZEROTH_UNARY(acos, acos)
ZEROTH_UNARY(asinpi, asinpi)
ZEROTH_UNARY(acospi, acospi)
ZEROTH_BINARY(atan2, atan2)
ZEROTH_BINARY(atan2pi, atan2pi)
