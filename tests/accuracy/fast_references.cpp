// The C library declares its vector functions where this says that all of fast maths is wanted; only that errors need
// not be reported is.
#define __FAST_MATH__ 1
#include "fast_references.hpp"

#include <cmath>

namespace zeroth::accuracy {
namespace {

#define MANY(name, expression)                                                                                         \
  void name##_many(const double* __restrict in, double* __restrict out, size_t count) {                                \
    for (size_t i = 0; i < count; ++i) {                                                                               \
      const double x = in[i];                                                                                          \
      out[i] = expression;                                                                                             \
    }                                                                                                                  \
  }

// In [-1, 1], exactly; zero and one have the sign of x.
inline double within_a_turn(double x) {
  const double r = x - 2 * std::rint(x * 0.5), a = std::fabs(r);
  return std::copysign(a, a == 0 || a == 1 ? x : r);
}
// Both for r in [-1, 1]. What is multiplied by pi is at most 1/2, so that the product is close where the sine is zero.
inline double sin_of_half_turns(double r) {
  const double a = std::fabs(r);
  return std::copysign(std::sin(M_PI * (a > 0.5 ? 1 - a : a)), r);
}
inline double cos_of_half_turns(double r) {
  const double a = std::fabs(r);
  return a < 0.25 ? std::cos(M_PI * a) : std::sin(M_PI * (0.5 - a));
}
// The sign of the tangent's zeros and poles is that of tanpi in OpenCL C.
inline double tan_of_half_turns(double x, double r) {
  const double s = sin_of_half_turns(r), c = cos_of_half_turns(r);
  return c == 0 ? std::copysign(HUGE_VAL, r) : s == 0 ? std::copysign(0.0, std::fabs(r) == 1 ? -x : x) : s / c;
}
// Near zero by its series, whose next term is below 2^-50 of the result.
inline double gamma_of(double x) {
  constexpr double euler = 0.57721566490153286, second = 0.98905599532797256, third = 0.90747907608088629;
  return std::fabs(x) < 0x1p-13 ? 1 / x - euler + x * (second - x * third) : std::tgamma(x);
}

MANY(exp, std::exp(x))
MANY(exp2, std::exp2(x))
MANY(exp10, ::exp10(x))
MANY(expm1, std::expm1(x))
MANY(log, std::log(x))
MANY(log2, std::log2(x))
MANY(log10, std::log10(x))
MANY(log1p, std::log1p(x))
MANY(sin, std::sin(x))
MANY(cos, std::cos(x))
MANY(tan, std::tan(x))
MANY(sinpi, sin_of_half_turns(within_a_turn(x)))
MANY(cospi, cos_of_half_turns(within_a_turn(x)))
MANY(tanpi, tan_of_half_turns(x, within_a_turn(x)))
MANY(asin, std::asin(x))
MANY(acos, std::acos(x))
MANY(atan, std::atan(x))
MANY(asinpi, std::asin(x) / M_PI)
MANY(acospi, std::acos(x) / M_PI)
MANY(atanpi, std::atan(x) / M_PI)
MANY(sinh, std::sinh(x))
MANY(cosh, std::cosh(x))
MANY(tanh, std::tanh(x))
MANY(asinh, std::asinh(x))
MANY(acosh, std::acosh(x))
MANY(atanh, std::atanh(x))
MANY(erf, std::erf(x))
MANY(erfc, std::erfc(x))
MANY(tgamma, gamma_of(x))
MANY(rsqrt, 1 / std::sqrt(x))
MANY(cbrt, std::cbrt(x))

struct Entry {
  std::string_view name;
  ManyReferences many;
};
#define ENTRY(name)                                                                                                    \
  Entry { #name, name##_many }
constexpr Entry entries[] = {
    ENTRY(exp),   ENTRY(exp2),   ENTRY(exp10),  ENTRY(expm1),  ENTRY(log),    ENTRY(log2),  ENTRY(log10), ENTRY(log1p),
    ENTRY(sin),   ENTRY(cos),    ENTRY(tan),    ENTRY(sinpi),  ENTRY(cospi),  ENTRY(tanpi), ENTRY(asin),  ENTRY(acos),
    ENTRY(atan),  ENTRY(asinpi), ENTRY(acospi), ENTRY(atanpi), ENTRY(sinh),   ENTRY(cosh),  ENTRY(tanh),  ENTRY(asinh),
    ENTRY(acosh), ENTRY(atanh),  ENTRY(erf),    ENTRY(erfc),   ENTRY(tgamma), ENTRY(rsqrt), ENTRY(cbrt)};

} // namespace

ManyReferences fast_reference(std::string_view name) {
  if (name.starts_with("half_")) name.remove_prefix(5);
  for (const Entry& entry : entries)
    if (entry.name == name) return entry.many;
  return nullptr;
}

} // namespace zeroth::accuracy
