// Functions that take numbers apart or put them together: all exact. (What is a line of IR, the SPIR-V reader writes
// inline: fract, modf, fdim, minmag, nan.)
#include "real.hpp"

namespace zeroth::builtins {
namespace {

constexpr i32 smallest_int = -0x7fffffff - 1, largest_int = 0x7fffffff;

template <class T> struct Normal {
  IntOf<T> bits, exponent; // of |x|, with the exponent of the form 1.f * 2^e
};
template <class T> inline Normal<T> normalize(T x) {
  using F = Format<T>;
  const T a = fabs(x);
  const bool denormal = a < F::smallest_normal;
  const IntOf<T> b = bits(denormal ? a * F::denormal_scale : a);
  return {b, (b >> F::mantissa) - F::bias - (denormal ? F::denormal_shift : 0)};
}
// |x| with its exponent replaced.
template <class T> inline T with_exponent(IntOf<T> b, IntOf<T> e) {
  using F = Format<T>;
  return from_bits<T>((b & ((IntOf<T>(1) << F::mantissa) - 1)) | (e + F::bias) << F::mantissa);
}

template <class T> inline T ldexp(T x, i32 n) {
  // A result this far out is zero or infinity anyhow; the bound keeps the two factors of scale() numbers.
  constexpr IntOf<T> far = sizeof(T) == 4 ? 200 : 1200;
  const Normal<T> s = normalize(x);
  constexpr i32 most = 5000;
  const i32 bounded = n < -most ? -most : n > most ? most : n;
  IntOf<T> e = s.exponent + bounded;
  e = e < -far ? -far : e > far ? far : e;
  const T result = copysign(scale(with_exponent<T>(s.bits, 0), e), x);
  return x == 0 || !is_finite(x) ? x : result;
}

template <class T> inline T frexp(T x, i32* exponent) {
  const Normal<T> s = normalize(x);
  const bool special = x == 0 || !is_finite(x);
  *exponent = special ? 0 : i32(s.exponent) + 1;
  return special ? x : copysign(with_exponent<T>(s.bits, -1), x);
}

template <class T> inline i32 ilogb(T x) {
  const i32 finite = x == 0 ? smallest_int : i32(normalize(x).exponent);
  return is_finite(x) ? finite : largest_int;
}

template <class T> inline T logb(T x) {
  const T finite = x == 0 ? -infinity<T> : T(i32(normalize(x).exponent));
  return is_finite(x) ? finite : x * x;
}

template <class T> inline T nextafter(T x, T y) {
  using Int = IntOf<T>;
  constexpr Int smallest = 1;
  const Int b = bits(x);
  // Away from zero the bits count up in magnitude.
  const Int stepped = (x < y) == (x > 0) ? b + 1 : b - 1;
  const T from_zero = copysign(from_bits<T>(smallest), y);
  const T moved = x == 0 ? from_zero : from_bits<T>(stepped);
  return is_nan(x) || is_nan(y) ? x + y : x == y ? y : moved;
}

} // namespace
} // namespace zeroth::builtins

using namespace zeroth::builtins;
using half = zeroth_half;

ZEROTH_WITH_INT(ldexp, ldexp)
ZEROTH_UNARY(logb, logb)

ZEROTH_HIDDEN float zeroth_math_frexp_f32(float x, int* e) { return frexp(x, e); }
ZEROTH_HIDDEN double zeroth_math_frexp_f64(double x, int* e) { return frexp(x, e); }
ZEROTH_HIDDEN half zeroth_math_frexp_f16(half x, int* e) { return half(frexp(float(x), e)); }
ZEROTH_HIDDEN int zeroth_math_ilogb_f32(float x) { return ilogb(x); }
ZEROTH_HIDDEN int zeroth_math_ilogb_f64(double x) { return ilogb(x); }
ZEROTH_HIDDEN int zeroth_math_ilogb_f16(half x) { return ilogb(float(x)); }
ZEROTH_HIDDEN float zeroth_math_nextafter_f32(float x, float y) { return nextafter(x, y); }
ZEROTH_HIDDEN double zeroth_math_nextafter_f64(double x, double y) { return nextafter(x, y); }
ZEROTH_HIDDEN half zeroth_math_nextafter_f16(half x, half y) {
  const short b = bit_cast<short>(x);
  const short stepped = short((x < y) == (x > 0) ? b + 1 : b - 1);
  const half from_zero = bit_cast<half>(short(y < 0 ? -0x7fff : 1));
  const half moved = x == 0 ? from_zero : bit_cast<half>(stepped);
  return x != x || y != y ? half(x + y) : x == y ? y : moved;
}
