// Every built-in function of one or two arguments, each result at out[function * items + item].
#define ONE(f) out[k++ * n + i] = f(x);
#define TWO(f) out[k++ * n + i] = f(x, y);
#define ALL                                                                                                           \
  ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(sin) ONE(cos) ONE(tan)        \
  ONE(sinpi) ONE(cospi) ONE(tanpi) ONE(asin) ONE(acos) ONE(atan) ONE(asinpi) ONE(acospi) ONE(atanpi) ONE(sinh)        \
  ONE(cosh) ONE(tanh) ONE(asinh) ONE(acosh) ONE(atanh) ONE(erf) ONE(erfc) ONE(tgamma) ONE(lgamma) ONE(rsqrt)          \
  ONE(cbrt) ONE(logb) TWO(pow) TWO(powr) TWO(atan2) TWO(atan2pi) TWO(hypot) TWO(fmod) TWO(remainder) TWO(nextafter)   \
  TWO(fdim) TWO(maxmag) TWO(minmag)

kernel void mathematics32(global float* out, global const float* in, global const float* in2, ulong n) {
  size_t i = get_global_id(0), k = 0;
  float x = in[i], y = in2[i];
  ALL
}

kernel void mathematics64(global double* out, global const double* in, global const double* in2, ulong n) {
  size_t i = get_global_id(0), k = 0;
  double x = in[i], y = in2[i];
  ALL
}
