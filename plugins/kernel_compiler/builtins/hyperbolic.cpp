#include "exponential.hpp"

namespace zeroth::builtins {
namespace {

template <class T> inline T sinh(T x) {
  const T a = fabs(x);
  const T e = expm1(a);
  const T near = T(0.5) * (e + e / (e + 1));
  const T far = exp_scaled(a, IntOf<T>(-1));
  const T result = a < 20 ? near : far;
  return x == 0 ? x : copysign(result, x);
}

template <class T> inline T cosh(T x) {
  const T half = exp_scaled(fabs(x), IntOf<T>(-1));
  return half + T(0.25) / half;
}

template <class T> inline T tanh(T x) {
  // Beyond 22 the result rounds to 1 in both formats.
  const T e = expm1(2 * at_most(fabs(x), T(22)));
  return x == 0 ? x : copysign(e / (e + 2), x);
}

} // namespace
} // namespace zeroth::builtins

ZEROTH_UNARY(sinh, sinh)
ZEROTH_UNARY(cosh, cosh)
ZEROTH_UNARY(tanh, tanh)
