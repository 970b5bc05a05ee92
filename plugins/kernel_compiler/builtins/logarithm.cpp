#include "logarithm.hpp"

namespace zeroth::builtins {
namespace {

template <class T> struct LogBase;
template <> struct LogBase<float> {
  static constexpr Pair<float> log2e{0x1.715476p0f, 0x1.4ae0cp-26f}, log10e{0x1.bcb7b2p-2f, -0x1.5b235ep-27f};
  static constexpr float log10_2_hi = 0x1.344p-2f, log10_2_lo = 0x1.3509f8p-18f;
};
template <> struct LogBase<double> {
  static constexpr Pair<double> log2e{0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56};
  static constexpr Pair<double> log10e{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
  static constexpr double log10_2_hi = 0x1.34413509f6p-2, log10_2_lo = 0x1.9fef311f12b36p-42;
};

// (f + tail) * factor, as a pair that is exact enough to be added to an exponent.
template <class T> inline Pair<T> in_base(T f, T tail, Pair<T> factor) {
  const T hi = f * factor.hi;
  return {hi, fma(f, factor.hi, -hi) + mad(f, factor.lo, tail * factor.hi)};
}

template <class T> inline T log2(T x) {
  const Split<T> s = split(x);
  const T f = s.m - 1;
  const Pair<T> mantissa = in_base(f, log1p_tail(f), LogBase<T>::log2e);
  return log_with_specials(x, s.e + (mantissa.hi + mantissa.lo));
}

template <class T> inline T log10(T x) {
  using C = LogBase<T>;
  const Split<T> s = split(x);
  const T f = s.m - 1;
  const Pair<T> mantissa = in_base(f, log1p_tail(f), C::log10e);
  return log_with_specials(x, mad(s.e, C::log10_2_hi, mantissa.hi + mad(s.e, C::log10_2_lo, mantissa.lo)));
}

template <class T> inline T acosh(T x) {
  const T t = x - 1;
  const bool large = x > T(0x1p28);
  const T near = log1p(t + sqrt(mad(t, t, 2 * t)));
  const T far = log(x) + T(0x1.62e42fefa39efp-1);
  return large ? far : near;
}

template <class T> inline T asinh(T x) {
  const T a = fabs(x);
  const bool large = a > T(0x1p28);
  const T square = a * a;
  const T near = log1p(a + square / (1 + sqrt(1 + square)));
  const T far = log(a) + T(0x1.62e42fefa39efp-1);
  const T result = large ? far : near;
  return x == 0 ? x : copysign(result, x);
}

template <class T> inline T atanh(T x) {
  const T a = fabs(x);
  const T result = T(0.5) * log1p(2 * a / (1 - a));
  return x == 0 ? x : copysign(result, x);
}

} // namespace
} // namespace zeroth::builtins

ZEROTH_UNARY(log, log)
ZEROTH_UNARY(log2, log2)
ZEROTH_UNARY(log10, log10)
ZEROTH_UNARY(log1p, log1p)
ZEROTH_UNARY(acosh, acosh)
ZEROTH_UNARY(asinh, asinh)
ZEROTH_UNARY(atanh, atanh)
