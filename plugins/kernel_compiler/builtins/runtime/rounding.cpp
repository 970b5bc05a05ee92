// Rounding to integers for CPUs without SSE4.1, where LLVM calls the C library's functions by name.
namespace {

template <class T> constexpr T whole = sizeof(T) == 4 ? T(0x1p23) : T(0x1p52); // from here on all numbers are integers

inline float magnitude(float x) { return __builtin_fabsf(x); }
inline double magnitude(double x) { return __builtin_fabs(x); }
inline float with_sign(float x, float s) { return __builtin_copysignf(x, s); }
inline double with_sign(double x, double s) { return __builtin_copysign(x, s); }

// To nearest, ties to even: adding and subtracting a number whose last place is 1 does it.
template <class T> inline T nearest(T x) {
  const T a = magnitude(x);
  return a < whole<T> ? with_sign((a + whole<T>)-whole<T>, x) : x;
}
template <class T> inline T toward_zero(T x) {
  const T a = magnitude(x), r = magnitude(nearest(x));
  return a < whole<T> ? with_sign(r > a ? r - 1 : r, x) : x;
}
template <class T> inline T down(T x) {
  const T r = nearest(x);
  return with_sign(r > x ? r - 1 : r, x);
}
template <class T> inline T half_away(T x) {
  const T a = magnitude(x), r = magnitude(toward_zero(x));
  return a < whole<T> ? with_sign(a - r >= T(0.5) ? r + 1 : r, x) : x;
}

} // namespace

extern "C" {
float rintf(float x) { return nearest(x); }
double rint(double x) { return nearest(x); }
float nearbyintf(float x) { return nearest(x); }
double nearbyint(double x) { return nearest(x); }
float roundevenf(float x) { return nearest(x); }
double roundeven(double x) { return nearest(x); }
float truncf(float x) { return toward_zero(x); }
double trunc(double x) { return toward_zero(x); }
float floorf(float x) { return down(x); }
double floor(double x) { return down(x); }
float ceilf(float x) { return -down(-x); }
double ceil(double x) { return -down(-x); }
float roundf(float x) { return half_away(x); }
double round(double x) { return half_away(x); }
}
