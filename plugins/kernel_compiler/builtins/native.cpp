// The half_ and native_ families of single precision: shorter polynomials, no care for denormals, angles as far as
// half_ promises (2^16). half_: 8192 units in the last place; native_: the same forms.
#include "exponential.hpp"

namespace zeroth::builtins {
namespace {

inline float native_exp2(float x) {
  const float clamped = at_least(at_most(x, 128.0f), -127.0f);
  const Nearest<float> n = nearest_product(clamped, 1.0f);
  const float r = clamped - n.real;
  const float p = polynomial(r, 1.0f, 0x1.62e43p-1f, 0x1.ebfbd8p-3f, 0x1.c6af74p-5f, 0x1.3b3096p-7f);
  return p * power_of_two<float>(n.integer);
}
inline float native_exp(float x) { return native_exp2(x * 0x1.715476p0f); }
inline float native_exp10(float x) { return native_exp2(x * 0x1.a934fp1f); }

// x = m 2^e, m in [sqrt(1/2), sqrt(2)): e + ln(m)/ln(2). Zero and negative numbers give what the bits say.
inline float native_log2(float x) {
  const i32 e = (bits(x) - bits(0x1.6a09e6p-1f)) >> 23;
  const float f = from_bits<float>(bits(x) - (e << 23)) - 1;
  const float p =
      polynomial(f, 0x1.7154e4p0f, -0x1.7141f4p-1f, 0x1.eb5444p-2f, -0x1.774a94p-2f, 0x1.45d208p-2f, -0x1.a634bcp-3f);
  const float result = mad(f, p, float(e));
  return x == 0 ? -infinity<float> : x == infinity<float> ? x : x < 0 ? nan_value<float> : result;
}
inline float native_log(float x) { return native_log2(x) * 0x1.62e43p-1f; }
inline float native_log10(float x) { return native_log2(x) * 0x1.344136p-2f; }

struct Turned {
  float r;
  i32 quadrant;
};
inline Turned turn(float x) {
  const Nearest<float> n = nearest_product(x, 0x1.45f306p-1f);
  return {fma(n.real, 0x1.777a5cp-25f, fma(n.real, -0x1.921fb6p0f, x)), n.integer};
}
inline float short_sin(float r) {
  const float z = r * r;
  return mad(z * r, polynomial(z, -0x1.555544p-3f, 0x1.1106d8p-7f), r);
}
inline float short_cos(float r) {
  const float z = r * r;
  return mad(z * z, polynomial(z, 0x1.55554ap-5f, -0x1.6c0c2p-10f), mad(-0.5f, z, 1.0f));
}
inline float native_sin(float x) {
  const Turned t = turn(x);
  const float v = t.quadrant & 1 ? short_cos(t.r) : short_sin(t.r);
  return t.quadrant & 2 ? -v : v;
}
inline float native_cos(float x) {
  const Turned t = turn(x);
  const float v = t.quadrant & 1 ? short_sin(t.r) : short_cos(t.r);
  return (t.quadrant + 1) & 2 ? -v : v;
}
inline float native_tan(float x) {
  const Turned t = turn(x);
  const float s = short_sin(t.r), c = short_cos(t.r);
  return t.quadrant & 1 ? -c / s : s / c;
}
inline float native_powr(float x, float y) { return native_exp2(y * native_log2(x)); }
inline float native_rsqrt(float x) { return 1 / sqrt(x); }

} // namespace
} // namespace zeroth::builtins

using namespace zeroth::builtins;

#define ZEROTH_FAST_UNARY(name)                                                                                        \
  ZEROTH_HIDDEN float zeroth_math_half_##name##_f32(float x) { return native_##name(x); }                              \
  ZEROTH_HIDDEN float zeroth_math_native_##name##_f32(float x) { return native_##name(x); }
#define ZEROTH_FAST_BINARY(name)                                                                                       \
  ZEROTH_HIDDEN float zeroth_math_half_##name##_f32(float x, float y) { return native_##name(x, y); }                  \
  ZEROTH_HIDDEN float zeroth_math_native_##name##_f32(float x, float y) { return native_##name(x, y); }

ZEROTH_FAST_UNARY(exp)
ZEROTH_FAST_UNARY(exp2)
ZEROTH_FAST_UNARY(exp10)
ZEROTH_FAST_UNARY(log)
ZEROTH_FAST_UNARY(log2)
ZEROTH_FAST_UNARY(log10)
ZEROTH_FAST_UNARY(sin)
ZEROTH_FAST_UNARY(cos)
ZEROTH_FAST_UNARY(tan)
ZEROTH_FAST_UNARY(rsqrt)
ZEROTH_FAST_BINARY(powr)
