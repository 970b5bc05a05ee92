// The ground under the built-in functions: bits of floating-point numbers, and arithmetic in pairs of them.
//
// Every function here and in the *.cpp of this folder is written for one work-item, without branches, calls or tables
// on its common path, so that whole-function vectorisation makes SIMD code of any width from it. Rules: choose with ?:,
// convert to integers with nearest() and not by a cast (a cast of NaN is undefined), let NaN flow through arithmetic,
// write a*b+c where fused and unfused are both right (mad) and fma() where exactness is needed.
// The compiler of these files is clang; they become bitcode (see CMakeLists.txt). No standard library here.
#pragma once

namespace zeroth::builtins {

using i32 = int;
using u32 = unsigned;
using i64 = long;
using u64 = unsigned long;
static_assert(sizeof(i32) == 4 && sizeof(i64) == 8);

template <class T> struct Format;
template <> struct Format<float> {
  using Int = i32;
  static constexpr int mantissa = 23, bias = 127;
  static constexpr float magic = 0x1.8p23f; // adding it leaves the nearest integer in the low bits
  static constexpr float smallest_normal = 0x1p-126f, denormal_scale = 0x1p24f;
  static constexpr int denormal_shift = 24;
};
template <> struct Format<double> {
  using Int = i64;
  static constexpr int mantissa = 52, bias = 1023;
  static constexpr double magic = 0x1.8p52;
  static constexpr double smallest_normal = 0x1p-1022, denormal_scale = 0x1p54;
  static constexpr int denormal_shift = 54;
};
template <class T> using IntOf = typename Format<T>::Int;

template <class To, class From> inline To bit_cast(From value) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, value);
}
template <class T> inline IntOf<T> bits(T x) { return bit_cast<IntOf<T>>(x); }
template <class T> inline T from_bits(IntOf<T> b) { return bit_cast<T>(b); }

template <class T> constexpr T infinity = T(__builtin_inf());
template <class T> constexpr T nan_value = T(__builtin_nan(""));

inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
template <class T> inline T mad(T a, T b, T c) { return a * b + c; }
inline float fabs(float x) { return __builtin_fabsf(x); }
inline double fabs(double x) { return __builtin_fabs(x); }
inline float sqrt(float x) { return __builtin_sqrtf(x); }
inline double sqrt(double x) { return __builtin_sqrt(x); }
inline float copysign(float x, float s) { return __builtin_copysignf(x, s); }
inline double copysign(double x, double s) { return __builtin_copysign(x, s); }
inline float rint(float x) { return __builtin_rintf(x); }
inline double rint(double x) { return __builtin_rint(x); }
inline float trunc(float x) { return __builtin_truncf(x); }
inline double trunc(double x) { return __builtin_trunc(x); }
inline float floor(float x) { return __builtin_floorf(x); }
inline double floor(double x) { return __builtin_floor(x); }

template <class T> inline bool is_nan(T x) { return x != x; }
template <class T> inline bool is_finite(T x) { return fabs(x) < infinity<T>; }
template <class T> inline bool sign_bit(T x) { return bits(x) < 0; }

// NaN stays NaN (a comparison with it is false).
template <class T> inline T at_most(T x, T limit) { return x > limit ? limit : x; }
template <class T> inline T at_least(T x, T limit) { return x < limit ? limit : x; }

// c[0] + c[1] x + c[2] x² … by Horner's rule.
template <class T> inline T polynomial(T, T c) { return c; }
template <class T, class... More> inline T polynomial(T x, T c, More... more) {
  return mad(polynomial(x, more...), x, c);
}

// The same as two chains, of even and of odd powers: for long ones, where a chain's latency would be waited for.
template <class T> inline T every_other(T, T c) { return c; }
template <class T> inline T every_other(T, T c, T) { return c; }
template <class T, class... More> inline T every_other(T square, T c, T, More... more) {
  return mad(every_other(square, more...), square, c);
}
template <class T, class... More> inline T polynomial_in_halves(T x, T c, More... more) {
  const T square = x * x;
  return mad(every_other(square, more...), x, every_other(square, c, more...));
}

// 2^n for exponents of normal numbers.
template <class T> inline T power_of_two(IntOf<T> n) {
  return from_bits<T>((n + Format<T>::bias) << Format<T>::mantissa);
}
// x * 2^n for x near 1 and |n| up to twice a normal exponent: exact but for the one rounding of a denormal result.
template <class T> inline T scale(T x, IntOf<T> n) {
  const IntOf<T> half = n >> 1;
  return x * power_of_two<T>(half) * power_of_two<T>(n - half);
}

// The nearest integer of a number well below 2^(mantissa-1), as number and as integer; NaN gives any integer.
template <class T> struct Nearest {
  T real;
  IntOf<T> integer;
};
template <class T> inline Nearest<T> nearest_product(T x, T factor) {
  const T shifted = fma(x, factor, Format<T>::magic);
  return {shifted - Format<T>::magic, bits(shifted) - bits(Format<T>::magic)};
}
template <class T> inline T to_real(IntOf<T> small) {
  return from_bits<T>(small + bits(Format<T>::magic)) - Format<T>::magic;
}

// x = m * 2^e with m in [sqrt(1/2), sqrt(2)), for finite x > 0, denormals included.
template <class T> struct Split {
  T m, e;
  IntOf<T> exponent;
};
template <class T> inline Split<T> split(T x) {
  using F = Format<T>;
  const bool denormal = x < F::smallest_normal;
  const T normal = denormal ? x * F::denormal_scale : x;
  const IntOf<T> shift = denormal ? F::denormal_shift : 0;
  const IntOf<T> e = (bits(normal) - bits(T(0x1.6a09e667f3bcdp-1))) >> F::mantissa;
  return {from_bits<T>(bits(normal) - (e << F::mantissa)), to_real<T>(e - shift), e - shift};
}

// A number of about twice the precision: hi + lo with |lo| at most half a unit of hi.
template <class T> struct Pair { T hi, lo; };
// Exact sum; fast_sum needs |a| >= |b| (or a = 0).
template <class T> inline Pair<T> two_sum(T a, T b) {
  const T s = a + b, bb = s - a;
  return {s, (a - (s - bb)) + (b - bb)};
}
template <class T> inline Pair<T> fast_sum(T a, T b) {
  const T s = a + b;
  return {s, b - (s - a)};
}
template <class T> inline Pair<T> two_product(T a, T b) {
  const T p = a * b;
  return {p, fma(a, b, -p)};
}
template <class T> inline Pair<T> multiply(Pair<T> a, Pair<T> b) {
  const Pair<T> p = two_product(a.hi, b.hi);
  return fast_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
template <class T> inline Pair<T> add(Pair<T> a, Pair<T> b) {
  const Pair<T> s = two_sum(a.hi, b.hi);
  return fast_sum(s.hi, s.lo + (a.lo + b.lo));
}

} // namespace zeroth::builtins

// Exports of one function template for both formats: zeroth_math_<name>_f32 and _f64, and for half precision the f32
// function with its result rounded once more.
using zeroth_half = _Float16;
#define ZEROTH_HIDDEN extern "C" __attribute__((visibility("hidden")))
#define ZEROTH_UNARY(name, function)                                                                                   \
  ZEROTH_HIDDEN float zeroth_math_##name##_f32(float x) { return zeroth::builtins::function<float>(x); }               \
  ZEROTH_HIDDEN double zeroth_math_##name##_f64(double x) { return zeroth::builtins::function<double>(x); }            \
  ZEROTH_HIDDEN zeroth_half zeroth_math_##name##_f16(zeroth_half x) {                                                  \
    return zeroth_half(zeroth::builtins::function<float>(float(x)));                                                   \
  }
#define ZEROTH_BINARY(name, function)                                                                                  \
  ZEROTH_HIDDEN float zeroth_math_##name##_f32(float x, float y) { return zeroth::builtins::function<float>(x, y); }   \
  ZEROTH_HIDDEN double zeroth_math_##name##_f64(double x, double y) {                                                  \
    return zeroth::builtins::function<double>(x, y);                                                                   \
  }                                                                                                                    \
  ZEROTH_HIDDEN zeroth_half zeroth_math_##name##_f16(zeroth_half x, zeroth_half y) {                                   \
    return zeroth_half(zeroth::builtins::function<float>(float(x), float(y)));                                         \
  }
#define ZEROTH_WITH_INT(name, function)                                                                                \
  ZEROTH_HIDDEN float zeroth_math_##name##_f32(float x, int n) { return zeroth::builtins::function<float>(x, n); }     \
  ZEROTH_HIDDEN double zeroth_math_##name##_f64(double x, int n) { return zeroth::builtins::function<double>(x, n); }  \
  ZEROTH_HIDDEN zeroth_half zeroth_math_##name##_f16(zeroth_half x, int n) {                                           \
    return zeroth_half(zeroth::builtins::function<float>(float(x), n));                                                \
  }
