#include "logarithm.hpp"

namespace zeroth::builtins {
namespace {

// All in double: single precision rounds the result of this, which is off by a few units of double at most.
constexpr double pi = 0x1.921fb54442d18p1;
constexpr double ln_sqrt_2pi_hi = 0x1.d67f1c864beb5p-1, ln_sqrt_2pi_lo = -0x1.65b5a1b7ff5dfp-55;

double log(double x) {
  const Pair<double> l = log_pair(x > 0 ? x : 1.0);
  return log_with_specials(x, l.hi + l.lo);
}

// ln(gamma(y)) + ln(rising) for y >= 1/2, where rising = y (y+1) … (y+7) if y < 8, else 1: Stirling's series needs a
// large argument.
struct LogGamma {
  Pair<double> value;
  double rising;
};
inline LogGamma stirling(double y, double y_low) {
  const bool small = y < 8;
  const double rising = y * (y + 1) * (y + 2) * (y + 3) * (y + 4) * (y + 5) * (y + 6) * (y + 7);
  const Pair<double> w = small ? two_sum(y, 8.0) : Pair<double>{y, 0.0};
  const double low = w.lo + y_low;
  const double q = 1 / w.hi;
  const double series = q * polynomial(q * q, 1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188,
                                       -691.0 / 360360, 1.0 / 156, -3617.0 / 122400);
  // (w - 1/2) ln(w) - w + ln(sqrt(2 pi)) + series
  const Pair<double> l = log_pair(w.hi);
  const Pair<double> main = multiply(two_sum(w.hi, -0.5), l);
  const Pair<double> rest = add(two_sum(-w.hi, ln_sqrt_2pi_hi), {series, ln_sqrt_2pi_lo});
  Pair<double> sum = add(main, rest);
  sum.lo += low * (l.hi - 0.5 * q); // derivative times what the argument lost
  return {sum, small ? rising : 1.0};
}

// sin(pi x) without its sign's periodicity: for |x| up to 2^52.
inline double sin_of_pi(double x) {
  const double within = x - 2 * rint(0.5 * x);
  const double folded = fabs(within) > 0.5 ? copysign(1 - fabs(within), within) : within;
  const double t = folded * pi, z = t * t;
  return t * polynomial(z, 1.0, -0x1.5555555555555p-3, 0x1.1111111111111p-7, -0x1.a01a01a01a01ap-13,
                        0x1.71de3a556c734p-19, -0x1.ae64567f544e4p-26, 0x1.6124613a86d09p-33, -0x1.ae7f3e733b81fp-41,
                        0x1.952c77030ad4ap-49, -0x1.2f49b46814157p-57, 0x1.71b8ef6dcf572p-66);
}

inline double tgamma_double(double x) {
  const bool reflected = x < 0.5;
  const Pair<double> y = reflected ? two_sum(1.0, -x) : Pair<double>{x, 0.0};
  const LogGamma g = stirling(at_most(y.hi, 200.0), y.hi > 200 ? 0.0 : y.lo);
  const Pair<double> exponent = {reflected ? -g.value.hi : g.value.hi, reflected ? -g.value.lo : g.value.lo};
  // The mirrored value may be a denormal number: it is scaled up until all factors are in.
  const double e = exp_pair(exponent, reflected ? 64 : 0);
  const double direct = e / g.rising;
  const double mirrored = pi / sin_of_pi(x) * e * g.rising * 0x1p-64;
  const double result = reflected ? mirrored : direct;
  const bool pole = x < 0 && trunc(x) == x;
  const double at_zero = x == 0 ? copysign(infinity<double>, x) : result;
  // Close to 0 the reflected sine is fine, but its product with a tiny angle can underflow to 1/0 early.
  const double tiny = fabs(x) < 0x1p-60 ? 1 / x : at_zero;
  return pole ? nan_value<double> : x == infinity<double> ? x : tiny;
}

inline double lgamma_double(double x, int* sign) {
  const double a = fabs(x);
  const bool reflected = x < 0.5;
  const Pair<double> y = reflected ? two_sum(1.0, -x) : Pair<double>{x, 0.0};
  const bool huge = a > 0x1p60;
  const LogGamma g = stirling(huge ? 1.0 : y.hi, huge ? 0.0 : y.lo);
  const double positive = (g.value.hi - log(g.rising)) + g.value.lo;
  const double sine = sin_of_pi(x);
  const double mirrored = log(pi / fabs(sine)) - positive;
  const bool pole = x <= 0 && trunc(x) == x;
  const double far = a < infinity<double> ? a * (log(a) - 1) : a;
  const double regular = reflected ? mirrored : positive;
  const double tiny = a < 0x1p-60 ? -log(a) : regular;
  *sign = pole ? 0 : reflected && sine < 0 ? -1 : 1;
  const double exact = x == 1 || x == 2 ? 0.0 : tiny;
  return is_nan(x) ? x : pole ? infinity<double> : huge ? far : exact;
}

template <class T> inline T tgamma(T x) { return T(tgamma_double(x)); }
template <class T> inline T lgamma(T x) {
  int sign;
  return T(lgamma_double(x, &sign));
}

} // namespace
} // namespace zeroth::builtins

ZEROTH_UNARY(tgamma, tgamma)
ZEROTH_UNARY(lgamma, lgamma)

ZEROTH_HIDDEN float zeroth_math_lgamma_r_f32(float x, int* sign) {
  return float(zeroth::builtins::lgamma_double(x, sign));
}
ZEROTH_HIDDEN double zeroth_math_lgamma_r_f64(double x, int* sign) { return zeroth::builtins::lgamma_double(x, sign); }
ZEROTH_HIDDEN zeroth_half zeroth_math_lgamma_r_f16(zeroth_half x, int* sign) {
  return zeroth_half(float(zeroth::builtins::lgamma_double(float(x), sign)));
}
