#include "exponential.hpp"

namespace zeroth::builtins {
namespace {

// erf(x) for |x| <= 0.93; the one in double for |x| <= 1.
inline float erf_near_zero(float x) {
  return x * polynomial(x * x, 0x1.20dd74p0f, -0x1.8126ap-2f, 0x1.ce130ep-4f, -0x1.b63928p-6f, 0x1.45a9e2p-8f,
                        -0x1.34832ep-11f);
}
inline double erf_near_zero(double x) {
  return x * polynomial(x * x, 0x1.20dd750429b6dp0, -0x1.812746b0379cap-2, 0x1.ce2f21a041df3p-4, -0x1.b82ce3125647ap-6,
                        0x1.565bcd07fa605p-8, -0x1.c02db2f9c2b97p-11, 0x1.f9a30b576b8ccp-14, -0x1.f4d05fc887746p-17,
                        0x1.b9cd79977686ap-20, -0x1.5e94fcc83924dp-23, 0x1.f253bae72efcp-27, -0x1.290ef2aba2322p-30,
                        0x1.bcc7673e3d47dp-35);
}

// e^(x²) erfc(x) (1 + 2x) as a polynomial in (x-c)/(x+c).
inline float erfc_series(float x) {
  return polynomial((x - 2) / (x + 2), 0x1.46e80ep0f, -0x1.7bf618p-4f, -0x1.540858p-3f, 0x1.4ffc5cp-3f, -0x1.bc07ccp-5f,
                    -0x1.08207ep-7f, 0x1.1aaa38p-7f, 0x1.58017ep-10f, -0x1.40a7a8p-10f, -0x1.9f977cp-12f);
}
inline double erfc_series(double x) {
  return polynomial((x - 4) / (x + 4), 0x1.3ba5916e9fd7fp0, -0x1.1df1ad154a28ep-3, 0x1.f7f5df66fd7d5p-7,
                    0x1.16ecefcfa536ep-4, -0x1.9ddb23c3e9207p-4, 0x1.7fee004e12d6p-4, -0x1.0fb06dfe4699dp-4,
                    0x1.3079edf66a169p-5, -0x1.09623885d47a9p-6, 0x1.49c672908ecc4p-8, -0x1.8d4a98e99716fp-11,
                    -0x1.a1df302a958c6p-13, 0x1.3be023903086bp-13, -0x1.99577bfd6eaf4p-16, -0x1.787e09e399f68p-17,
                    0x1.7f0fde1169e8cp-18, 0x1.37624c9122c17p-22, -0x1.b94e57c853a5p-21, 0x1.57b64593b3936p-24,
                    0x1.c4f5ff90b9c55p-24, -0x1.7eab2d088fedfp-26, -0x1.68889611dabd9p-27, 0x1.cfd5dc22dc33dp-29);
}

// erfc(x) for x in [0.75, limit]; e^(-x²) with the rounding error of x² put back.
template <class T> inline T erfc_positive(T x) {
  const Pair<T> square = two_product(x, x);
  const T e = exp_scaled(-square.hi, IntOf<T>(0));
  return mad(-square.lo, e, e) * (erfc_series(x) / mad(T(2), x, T(1)));
}

// Beyond these erf rounds to 1, erfc to 0.
template <class T> constexpr T erf_limit = sizeof(T) == 4 ? T(4.05) : T(5.95);
template <class T> constexpr T erfc_limit = sizeof(T) == 4 ? T(10.5) : T(27.5);

// 1 - erfc(a) by one exponential and no division: erfc(a) = e^-g(a), g a polynomial on [0.9, 4.05].
inline float erf_far(float a) {
  const float g = polynomial(a, -0x1.62d89ap-13f, 0x1.212626p0f, 0x1.444d1ep-1f, 0x1.bb4548p-4f, -0x1.9aebaep-6f,
                             0x1.10624ep-8f, -0x1.c4590ap-12f, 0x1.5d71cep-16f);
  return 1 - exp_of_negative(-g);
}

template <class T> inline T erf(T x);

template <> inline float erf(float x) {
  constexpr float near_limit = 0.93f;
  const float a = at_most(fabs(x), erf_limit<float>);
  const float far = copysign(erf_far(a), x);
  return a <= near_limit ? erf_near_zero(x) : far;
}

// The same for all of [0, 5.95]: g(a)/a is a polynomial whose error counts less the smaller erfc is. Near 0, e^-g - 1
// is no difference but what the reduced exponential begins with, so that nothing cancels.
template <> inline double erf(double x) {
  const double a = at_most(fabs(x), erf_limit<double>);
  const double g_over_a = polynomial_in_halves(
      a, 0x1.20dd750429b6dp0, 0x1.45f306dc9c8d9p-1, 0x1.a4f4e2a1a9b14p-4, -0x1.396685908c094p-6, -0x1.b6b6a1d1635dbp-13,
      0x1.bca691e568e89p-10, -0x1.35663c10e08bap-11, 0x1.b29b0a87a39bap-16, 0x1.0e32ebb969b0ap-14,
      -0x1.f0324b0953a1cp-16, 0x1.a96aa262ae349p-19, 0x1.a4825d8c160c8p-19, -0x1.116f7ce243083p-19,
      0x1.326144406081bp-21, -0x1.932487158a663p-27, -0x1.1a46ae2907c32p-24, 0x1.290c4e2536ea2p-25,
      -0x1.7221c8dd30dc3p-27, 0x1.4464dbad90306p-29, -0x1.9d73839a2b16bp-32, 0x1.7a58ccb8aae5bp-35,
      -0x1.d96ef29d65a51p-39, 0x1.6b96f0cf3e10fp-43, -0x1.02cf0f8e3d316p-48);
  const auto reduced = reduce_exp(-a * g_over_a);
  const double power = power_of_two<double>(reduced.n);
  return copysign(mad(-expm1_reduced(reduced.r), power, 1 - power), x);
}

template <class T> inline T erfc(T x) {
  constexpr T near_limit = T(0.75);
  const T a = fabs(x);
  const T positive = erfc_positive(at_most(a, erfc_limit<T>));
  const T far = x > 0 ? positive : 2 - positive;
  return a < near_limit ? 1 - erf_near_zero(x) : is_nan(x) ? x : far;
}

} // namespace
} // namespace zeroth::builtins

ZEROTH_UNARY(erf, erf)
ZEROTH_UNARY(erfc, erfc)
