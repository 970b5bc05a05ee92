#include "trig_reduction.hpp"

namespace zeroth::builtins {
namespace {

// For |r| <= pi/4, relative errors below 2^-27 and 2^-62.
inline float sin_reduced(float r) {
  const float z = r * r;
  return mad(z * r, polynomial(z, -0x1.555544p-3f, 0x1.1106d8p-7f, -0x1.99258p-13f), r);
}
inline double sin_reduced(double r) {
  const double z = r * r;
  const double p =
      polynomial(z, -0x1.5555555555555p-3, 0x1.111111111108cp-7, -0x1.a01a01a00721ap-13, 0x1.71de3a4090804p-19,
                 -0x1.ae643df663332p-26, 0x1.61152352f728bp-33, -0x1.a59f8b2ba6926p-41);
  return mad(z * r, p, r);
}
inline float cos_reduced(float r) {
  const float z = r * r;
  return mad(z * z, polynomial(z, 0x1.55554ap-5f, -0x1.6c0c2p-10f, 0x1.99e42cp-16f), mad(-0.5f, z, 1.0f));
}
inline double cos_reduced(double r) {
  const double z = r * r;
  const double p = polynomial(z, 0x1.555555555554ap-5, -0x1.6c16c16c14e05p-10, 0x1.a01a019c5d0dcp-16,
                              -0x1.27e4f7cdfa9fp-22, 0x1.1ee9c3d779b72p-29, -0x1.8f9a2a08c79bp-37);
  return mad(z * z, p, mad(-0.5, z, 1.0));
}

template <class T> struct SinCos { T sin, cos; };
template <class T> inline SinCos<T> rotate(Angle<T> angle) {
  const T s = sin_reduced(angle.r), c = cos_reduced(angle.r);
  const bool odd = angle.quadrant & 1;
  const T sin = odd ? c : s, cos = odd ? s : c;
  return {angle.quadrant & 2 ? -sin : sin, (angle.quadrant + 1) & 2 ? -cos : cos};
}

template <class T> inline T sin(T x) {
  const T result = rotate(reduce_angle(x)).sin;
  return x == 0 ? x : result;
}
template <class T> inline T cos(T x) { return rotate(reduce_angle(x)).cos; }
template <class T> inline T sincos(T x, T* cosine) {
  const SinCos<T> both = rotate(reduce_angle(x));
  *cosine = both.cos;
  return x == 0 ? x : both.sin;
}
template <class T> inline T tan(T x) {
  const Angle<T> angle = reduce_angle(x);
  const T s = sin_reduced(angle.r), c = cos_reduced(angle.r);
  const bool odd = angle.quadrant & 1;
  const T result = (odd ? -c : s) / (odd ? s : c);
  return x == 0 ? x : result;
}

// x = quadrant/2 + r/pi exactly, with |r| <= pi/4.
template <class T> inline Angle<T> reduce_half_turns(T x) {
  const T within = x - 2 * rint(x * T(0.5)); // in [-1, 1]; infinity gives NaN
  const Nearest<T> n = nearest_product(within, T(2));
  return {mad(n.real, T(-0.5), within) * T(0x1.921fb54442d18p1), n.integer};
}
template <class T> inline T sinpi(T x) {
  const T result = rotate(reduce_half_turns(x)).sin;
  return result == 0 ? copysign(result, x) : result;
}
template <class T> inline T cospi(T x) {
  const T result = rotate(reduce_half_turns(x)).cos;
  return result == 0 ? T(0) : result;
}
template <class T> inline T tanpi(T x) {
  const T within = x - 2 * rint(x * T(0.5));
  const Angle<T> angle = reduce_half_turns(x);
  const T s = sin_reduced(angle.r), c = cos_reduced(angle.r);
  const bool odd = angle.quadrant & 1;
  const T ratio = (odd ? -c : s) / (odd ? s : c);
  // Exact zeros and poles have signs of their own: + for even integers and the halves after them, - for odd ones.
  const bool zero = within == 0 || fabs(within) == 1, pole = fabs(within) == T(0.5);
  const T signed_zero = copysign(T(0), fabs(within) == 1 ? -x : x);
  const T signed_pole = copysign(infinity<T>, within);
  return zero ? signed_zero : pole ? signed_pole : ratio;
}

} // namespace
} // namespace zeroth::builtins

ZEROTH_UNARY(sin, sin)
ZEROTH_UNARY(cos, cos)
ZEROTH_UNARY(tan, tan)
ZEROTH_UNARY(sinpi, sinpi)
ZEROTH_UNARY(cospi, cospi)
ZEROTH_UNARY(tanpi, tanpi)

ZEROTH_HIDDEN float zeroth_math_sincos_f32(float x, float* c) { return zeroth::builtins::sincos(x, c); }
ZEROTH_HIDDEN double zeroth_math_sincos_f64(double x, double* c) { return zeroth::builtins::sincos(x, c); }
ZEROTH_HIDDEN zeroth_half zeroth_math_sincos_f16(zeroth_half x, zeroth_half* c) {
  float cosine;
  const float sine = zeroth::builtins::sincos(float(x), &cosine);
  *c = zeroth_half(cosine);
  return zeroth_half(sine);
}
