#include "exponential.hpp"

namespace zeroth::builtins {
namespace {

template <class T> inline T exp(T x) { return exp_scaled(x, IntOf<T>(0)); }

// 2^r for |r| <= 1/2, relative error below 2^-28 and 2^-59.
inline float exp2_reduced(float r) {
  return polynomial(r, 1.0f, 0x1.62e43p-1f, 0x1.ebfbd8p-3f, 0x1.c6af74p-5f, 0x1.3b3096p-7f, 0x1.5f0ca8p-10f,
                    0x1.3fad5ep-13f);
}
inline double exp2_reduced(double r) {
  return polynomial(r, 1.0, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c58dp-3, 0x1.c6b08d704a182p-5, 0x1.3b2ab6fba53b7p-7,
                    0x1.5d87fe7888e0dp-10, 0x1.430912f701b18p-13, 0x1.ffcbfcdb13ad8p-17, 0x1.62c027b412e43p-20,
                    0x1.b524233d501c9p-24, 0x1.e4bbcaccb1dfbp-28, 0x1.eafd8df688878p-32, 0x1.de38e46ad47fep-36);
}

template <class T> struct Exp2Limits;
template <> struct Exp2Limits<float> { static constexpr float lowest = -152, highest = 130; };
template <> struct Exp2Limits<double> { static constexpr double lowest = -1077, highest = 1026; };

template <class T> inline T exp2(T x) {
  using L = Exp2Limits<T>;
  const T clamped = at_least(at_most(x, L::highest), L::lowest);
  const Nearest<T> n = nearest_product(clamped, T(1));
  return scale(exp2_reduced(clamped - n.real), n.integer);
}

template <class T> struct Exp10Constants;
template <> struct Exp10Constants<float> {
  static constexpr float log2_10 = 0x1.a934fp1f, ln10 = 0x1.26bb1cp1f, lowest = -46, highest = 39;
  static constexpr float log10_2_hi = 0x1.344p-2f, log10_2_lo = 0x1.3509f8p-18f;
};
template <> struct Exp10Constants<double> {
  static constexpr double log2_10 = 0x1.a934f0979a371p1, ln10 = 0x1.26bb1bbb55516p1, lowest = -325, highest = 309;
  static constexpr double log10_2_hi = 0x1.34413509f6p-2, log10_2_lo = 0x1.9fef311f12b36p-42;
};

template <class T> inline T exp10(T x) {
  using C = Exp10Constants<T>;
  const T clamped = at_least(at_most(x, C::highest), C::lowest);
  const Nearest<T> n = nearest_product(clamped, C::log2_10);
  const T r = mad(n.real, -C::log10_2_lo, mad(n.real, -C::log10_2_hi, clamped));
  return scale(1 + expm1_reduced(r * C::ln10), n.integer);
}

} // namespace
} // namespace zeroth::builtins

ZEROTH_UNARY(exp, exp)
ZEROTH_UNARY(exp2, exp2)
ZEROTH_UNARY(exp10, exp10)
ZEROTH_UNARY(expm1, expm1)
