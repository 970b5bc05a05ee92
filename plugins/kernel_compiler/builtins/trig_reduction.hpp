// Taking multiples of pi/2 out of an angle: what all circular functions begin with.
#pragma once

#include "real.hpp"

namespace zeroth::builtins {

// x = quadrant * pi/2 + r with |r| <= pi/4 (a little more after the fast form); the quadrant counts modulo 4.
template <class T> struct Angle {
  T r;
  IntOf<T> quadrant;
};

template <class T> struct HalfPi;
template <> struct HalfPi<float> {
  static constexpr float inverse = 0x1.45f306p-1f;
  static constexpr float part[3] = {0x1.921fb6p0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f};
  static constexpr float fast_limit = 0x1p17f;
};
template <> struct HalfPi<double> {
  static constexpr double inverse = 0x1.45f306dc9c883p-1;
  static constexpr double part[3] = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
  static constexpr double fast_limit = 0x1p27;
};

// Below the limit three fused steps are enough: the first is exact, since all its terms are multiples of the last place
// of pi/2's first part and their difference is below 1; the others round relative to the result.
template <class T> inline Angle<T> reduce_moderate(T x) {
  using C = HalfPi<T>;
  const Nearest<T> n = nearest_product(x, C::inverse);
  T r = fma(n.real, -C::part[0], x);
  r = fma(n.real, -C::part[1], r);
  r = fma(n.real, -C::part[2], r);
  return {r, n.integer};
}

// For any finite |x| >= 2^17, by multiplying with the bits of 2/pi that matter.
Angle<double> reduce_huge(double x);

template <class T> inline Angle<T> reduce_angle(T x) {
  Angle<T> angle = reduce_moderate(x);
  if (!(fabs(x) < HalfPi<T>::fast_limit)) {
    const Angle<double> huge = reduce_huge(double(x));
    angle.r = is_finite(x) ? T(huge.r) : nan_value<T>;
    angle.quadrant = IntOf<T>(huge.quadrant);
  }
  return angle;
}

} // namespace zeroth::builtins
