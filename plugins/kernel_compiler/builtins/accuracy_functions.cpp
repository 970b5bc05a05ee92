// The table of functions under measurement: ours beside their references.
#include "accuracy.hpp"

#include <cmath>
#include <quadmath.h>

#define UNARY(name, l32, l64, low, high, positive, r32, r64)                                                           \
  extern "C" float zeroth_math_##name##_f32(float);                                                                    \
  extern "C" double zeroth_math_##name##_f64(double);
#define BINARY(name, l32, l64, low, high, positive, ylow, yhigh, r32, r64)                                             \
  extern "C" float zeroth_math_##name##_f32(float, float);                                                             \
  extern "C" double zeroth_math_##name##_f64(double, double);
#define INTEGER(name, l32, l64, low, high, positive, ylow, yhigh, r32, r64)                                            \
  extern "C" float zeroth_math_##name##_f32(float, int);                                                               \
  extern "C" double zeroth_math_##name##_f64(double, int);
#define FAST(name, ...) extern "C" float zeroth_math_##name##_f32(float);
#include "builtin_list.inc"
#undef FAST
#undef UNARY
#undef BINARY
#undef INTEGER

namespace zeroth::accuracy {
namespace {

template <class T> T reduce_turns(T x) { return x - 2 * T(rintq(x / 2)); }

__float128 exp10_quad(__float128 x) { return powq(10, x); }
__float128 sinpi_quad(__float128 x) {
  const __float128 r = reduce_turns(x);
  return fabsq(r) == 1 || r == 0 ? copysignq(0, x) : sinq(r * M_PIq);
}
__float128 cospi_quad(__float128 x) {
  const __float128 r = fabsq(reduce_turns(x));
  return r == 0.5Q ? 0 : cosq(r * M_PIq);
}
__float128 tanpi_quad(__float128 x) {
  const __float128 r = reduce_turns(x);
  if (r == 0) return copysignq(0, x);
  if (fabsq(r) == 1) return copysignq(0, -x);
  if (fabsq(r) == 0.5Q) return copysignq(HUGE_VALQ, r);
  return tanq(r * M_PIq);
}
double sinpi_double(double x) { return double(sinpi_quad(x)); }
double cospi_double(double x) { return double(cospi_quad(x)); }
double tanpi_double(double x) { return double(tanpi_quad(x)); }
double rootn_double(double x, double n) {
  const bool odd = std::fmod(n, 2) != 0;
  return x < 0 && !odd ? std::nan("") : std::copysign(std::pow(std::fabs(x), 1 / n), odd ? x : 1);
}
__float128 rootn_quad(__float128 x, __float128 n) {
  const bool odd = fmodq(n, 2) != 0;
  return x < 0 && !odd ? nanq("") : copysignq(powq(fabsq(x), 1 / n), odd ? x : 1);
}
double asinpi_double(double x) { return std::asin(x) / M_PI; }
double acospi_double(double x) { return std::acos(x) / M_PI; }
double atanpi_double(double x) { return std::atan(x) / M_PI; }
double atan2pi_double(double y, double x) { return std::atan2(y, x) / M_PI; }
__float128 asinpi_quad(__float128 x) { return asinq(x) / M_PIq; }
__float128 acospi_quad(__float128 x) { return acosq(x) / M_PIq; }
__float128 atanpi_quad(__float128 x) { return atanq(x) / M_PIq; }
__float128 atan2pi_quad(__float128 y, __float128 x) { return atan2q(y, x) / M_PIq; }
double rsqrt_double(double x) { return 1 / std::sqrt(x); }
__float128 rsqrt_quad(__float128 x) { return 1 / sqrtq(x); }

std::vector<Function> make_functions() {
  std::vector<Function> list;
  const auto entry = [](const char* name, Format format, double limit, double low, double high, bool positive,
                        double y_low = 0, double y_high = 0) {
    Function f{};
    f.name = name;
    f.format = format;
    f.limit = limit;
    f.low = low;
    f.high = high;
    f.positive_only = positive;
    f.y_low = y_low;
    f.y_high = y_high;
    return f;
  };
#define UNARY(name, l32, l64, low, high, positive, r32, r64)                                                           \
  list.push_back(entry(#name, Format::F32, l32, low, high, positive));                                                 \
  list.back().f32 = zeroth_math_##name##_f32;                                                                          \
  list.back().reference32 = r32;                                                                                       \
  list.push_back(entry(#name, Format::F64, l64, low, high, positive));                                                 \
  list.back().f64 = zeroth_math_##name##_f64;                                                                          \
  list.back().reference64 = r64;
#define TWO(name, kind, l32, l64, low, high, positive, ylow, yhigh, r32, r64)                                          \
  list.push_back(entry(#name, Format::F32, l32, low, high, positive, ylow, yhigh));                                    \
  list.back().f32_##kind = zeroth_math_##name##_f32;                                                                   \
  list.back().reference32_binary = r32;                                                                                \
  list.push_back(entry(#name, Format::F64, l64, low, high, positive, ylow, yhigh));                                    \
  list.back().f64_##kind = zeroth_math_##name##_f64;                                                                   \
  list.back().reference64_binary = r64;
#define FAST(name, limit, low, high, positive, r32)                                                                    \
  list.push_back(entry(#name, Format::F32, limit, low, high, positive));                                               \
  list.back().f32 = zeroth_math_##name##_f32;                                                                          \
  list.back().reference32 = r32;
#define BINARY(name, ...) TWO(name, binary, __VA_ARGS__)
#define INTEGER(name, ...) TWO(name, int, __VA_ARGS__)
#include "builtin_list.inc"
  return list;
}

} // namespace

const std::vector<Function>& functions() {
  static const std::vector<Function> list = make_functions();
  return list;
}

} // namespace zeroth::accuracy
