// e^x and its reduced forms, shared by the functions built on it.
#pragma once

#include "real.hpp"

namespace zeroth::builtins {

template <class T> struct ExpConstants;
template <> struct ExpConstants<float> {
  static constexpr float log2e = 0x1.715476p0f;
  static constexpr float ln2_hi = 0x1.62e4p-1f, ln2_lo = 0x1.7f7d1cp-20f; // hi times any exponent is exact
  static constexpr float lowest = -105, highest = 90;                     // below 0 and above infinity after rounding
};
template <> struct ExpConstants<double> {
  static constexpr double log2e = 0x1.71547652b82fep0;
  static constexpr double ln2_hi = 0x1.62e42fefa38p-1, ln2_lo = 0x1.ef35793c7673p-45;
  static constexpr double lowest = -746, highest = 711;
};

// e^r - 1 for |r| <= ln(2)/2, relative error below 2^-26 and 2^-61.
inline float expm1_reduced(float r) {
  const float tail = polynomial(r, 0x1.fffffep-2f, 0x1.5554bp-3f, 0x1.555718p-5f, 0x1.1227acp-7f, 0x1.6b7158p-10f);
  return mad(r * r, tail, r);
}
inline double expm1_reduced(double r) {
  const double tail =
      polynomial(r, 0x1p-1, 0x1.5555555555559p-3, 0x1.555555555554dp-5, 0x1.111111110f65p-7, 0x1.6c16c16c1ab03p-10,
                 0x1.a01a01b006f1p-13, 0x1.a01a018e0e617p-16, 0x1.71ddf80374ea1p-19, 0x1.27e513359544fp-22,
                 0x1.af5f4632a12a2p-26, 0x1.1f1a49366be15p-29);
  return mad(r * r, tail, r);
}

// x = n ln(2) + r with |r| <= ln(2)/2.
template <class T> struct ExpReduction {
  T r;
  IntOf<T> n;
};
template <class T> inline ExpReduction<T> reduce_exp(T x) {
  using C = ExpConstants<T>;
  const Nearest<T> n = nearest_product(x, C::log2e);
  return {mad(n.real, -C::ln2_lo, mad(n.real, -C::ln2_hi, x)), n.integer};
}

template <class T> inline T exp_clamped(T x) {
  return at_least(at_most(x, ExpConstants<T>::highest), ExpConstants<T>::lowest);
}

// 2^shift * e^x without overflow in between.
template <class T> inline T exp_scaled(T x, IntOf<T> shift) {
  const auto reduced = reduce_exp(exp_clamped(x));
  return scale(1 + expm1_reduced(reduced.r), reduced.n + shift);
}

// 2^shift * e^(p.hi + p.lo) with the precision of p.
template <class T> inline T exp_pair(Pair<T> p, IntOf<T> shift = 0) {
  const T x = at_least(at_most(p.hi, ExpConstants<T>::highest), ExpConstants<T>::lowest - T(shift));
  const auto reduced = reduce_exp(x);
  const T lo = x == p.hi ? p.lo : 0; // beyond the limits hi alone decides
  return scale(1 + expm1_reduced(reduced.r + lo), reduced.n + shift);
}

// e^x for x in [-80, 0], where the result is normal.
template <class T> inline T exp_of_negative(T x) {
  const auto reduced = reduce_exp(x);
  return (1 + expm1_reduced(reduced.r)) * power_of_two<T>(reduced.n);
}

template <class T> inline T expm1(T x) {
  // Halved, so that the largest power of two is still a number; below -40 nothing but -1 is left.
  constexpr T highest = sizeof(T) == 4 ? T(89) : T(710);
  const T clamped = at_least(at_most(x, highest), T(-40));
  const auto reduced = reduce_exp(clamped);
  const T half = power_of_two<T>(reduced.n - 1);
  const T result = 2 * mad(half, expm1_reduced(reduced.r), half - T(0.5));
  return x == 0 ? x : result;
}

} // namespace zeroth::builtins
