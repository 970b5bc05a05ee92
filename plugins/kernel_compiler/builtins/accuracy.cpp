#include "accuracy.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <quadmath.h>
#include <random>
#include <type_traits>

namespace zeroth::accuracy {
namespace {

// Units in the last place between a result and the true value; infinite when a special value is wrong.
template <class T, class Wide> double error_of(T got, Wide truth) {
  constexpr int digits = std::numeric_limits<T>::digits, lowest = std::numeric_limits<T>::min_exponent - 1;
  constexpr double wrong = std::numeric_limits<double>::infinity();
  const T rounded = static_cast<T>(truth);
  if (std::isnan(rounded)) return std::isnan(got) ? 0 : wrong;
  if (got == rounded) return got != 0 || std::signbit(got) == std::signbit(rounded) || truth != 0 ? 0.0 : wrong;
  if (std::isnan(got)) return wrong;
  if (truth != truth || truth - truth != 0) return wrong; // an infinite truth has one right answer
  if constexpr (std::is_same_v<Wide, double>) {
    const double unit = std::ldexp(1.0, std::max(std::ilogb(truth), lowest) - (digits - 1));
    const double value = std::isinf(got) ? std::copysign(std::ldexp(1.0, -lowest + 2), got) : double(got);
    return std::fabs(value - truth) / unit;
  } else {
    const __float128 unit = scalbnq(1, std::max(ilogbq(fabsq(truth)), lowest) - (digits - 1));
    const __float128 value = std::isinf(got) ? copysignq(scalbnq(1, -lowest + 2), got) : __float128(got);
    return static_cast<double>(fabsq(value - truth) / unit);
  }
}

class Sampler {
public:
  explicit Sampler(uint64_t seed) : random_(seed) {}

  // Half the samples are spread over exponents, half over values.
  template <class T> T next(double low, double high, bool positive) {
    constexpr double largest = std::numeric_limits<T>::max(), smallest = std::numeric_limits<T>::denorm_min();
    const bool whole = low == 0 && high == 0;
    const double from = whole ? smallest : low, to = whole ? largest : std::min(high, largest);
    double magnitude;
    if (whole || random_() & 1) {
      const double e = std::uniform_real_distribution(std::log2(from), std::log2(to))(random_);
      magnitude = std::exp2(e);
    } else {
      magnitude = std::uniform_real_distribution(from, to)(random_);
    }
    return static_cast<T>(!positive && (random_() & 1) ? -magnitude : magnitude);
  }
  int next_integer(double low, double high) {
    const int n = std::uniform_int_distribution<int>(static_cast<int>(low), static_cast<int>(high))(random_);
    return random_() & 1 ? -n : n;
  }

private:
  std::mt19937_64 random_;
};

template <class T> std::vector<T> special_values() {
  using L = std::numeric_limits<T>;
  std::vector<T> values;
  for (T v :
       {T(0), L::denorm_min(), T(L::min() / 2), L::min(), L::epsilon(), T(0.25), T(0.5), T(1), T(1 + L::epsilon()),
        T(1 - L::epsilon() / 2), T(1.5), T(2), T(2.5), T(3), T(4), T(100), T(1e10), L::max(), L::infinity()}) {
    values.push_back(v);
    values.push_back(-v);
  }
  values.push_back(L::quiet_NaN());
  return values;
}

double error_at(const Function& f, double x, double y) {
  if (f.f32) return error_of(f.f32(float(x)), f.reference32(float(x)));
  if (f.f32_binary) return error_of(f.f32_binary(float(x), float(y)), f.reference32_binary(float(x), float(y)));
  if (f.f32_int) return error_of(f.f32_int(float(x), int(y)), f.reference32_binary(float(x), y));
  if (f.f64) return error_of(f.f64(x), f.reference64(x));
  if (f.f64_binary) return error_of(f.f64_binary(x, y), f.reference64_binary(x, y));
  return error_of(f.f64_int(x, int(y)), f.reference64_binary(x, y));
}

void note(Measurement& m, const Function& f, double x, double y) {
  ++m.samples;
  const double error = error_at(f, x, y);
  if (error > m.worst || m.samples == 1) {
    m.worst = error;
    m.at_x = x;
    m.at_y = y;
  }
}

} // namespace

bool is_comparable(const Function& f, double x, double y) {
  if (f.positive_only && std::signbit(x)) return false;
  // The fast forms care for no special values.
  if (f.name.starts_with("half_")) return std::fabs(x) >= f.low && std::fabs(x) <= f.high;
  if (f.name == "powr") return std::isfinite(x) && x > 0 && std::isfinite(y);
  if (f.name == "rootn") return y != 0 && x != 0;
  if (f.name == "tgamma") return !(x < 0 && std::trunc(x) == x);
  return true;
}

namespace {

template <class T> void measure_specials(Measurement& m, const Function& f) {
  const bool unary = f.f32 || f.f64, integer = f.f32_int || f.f64_int;
  for (T x : special_values<T>()) {
    if (unary) {
      if (is_comparable(f, x, 0)) note(m, f, x, 0);
    } else if (integer) {
      for (int n : {0, 1, -1, 2, -2, 3, 1000, -1001, 2147483647, -2147483647 - 1})
        if (is_comparable(f, x, n)) note(m, f, x, n);
    } else {
      for (T y : special_values<T>())
        if (is_comparable(f, x, y)) note(m, f, x, y);
    }
  }
}

template <class T> void measure_random(Measurement& m, const Function& f, uint64_t samples, uint64_t seed) {
  const bool integer = f.f32_int || f.f64_int;
  Sampler sampler(seed);
  for (uint64_t i = 0; i < samples; ++i) {
    const T x = sampler.next<T>(f.low, f.high, f.positive_only);
    const double y = integer ? sampler.next_integer(f.y_low, f.y_high) : sampler.next<T>(f.y_low, f.y_high, false);
    if (is_comparable(f, x, y)) note(m, f, x, y);
  }
}

// Half precision by value: 11 digits, exponents from -14 on.
constexpr int half_digits = 11, half_lowest = -14;
constexpr double half_largest = 65504;

double half_unit(double v) { return std::ldexp(1.0, std::max(std::ilogb(v), half_lowest) - (half_digits - 1)); }

double round_to_half(double v) {
  if (v == 0 || !std::isfinite(v)) return v;
  const double unit = half_unit(v), rounded = std::nearbyint(v / unit) * unit;
  return std::fabs(rounded) > half_largest ? std::copysign(HUGE_VAL, v) : std::copysign(rounded, v);
}

double half_from_bits(uint32_t bits) {
  const int exponent = bits >> 10 & 31;
  const double fraction = bits & 1023;
  const double magnitude = exponent == 31 ? (fraction != 0 ? std::nan("") : HUGE_VAL)
                           : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                          : std::ldexp(fraction, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

double half_error(double got, double truth) {
  const double rounded = round_to_half(truth);
  if (std::isnan(rounded)) return std::isnan(got) ? 0 : HUGE_VAL;
  if (got == rounded) return got != 0 || std::signbit(got) == std::signbit(rounded) || truth != 0 ? 0.0 : HUGE_VAL;
  if (std::isnan(got) || std::isinf(truth)) return HUGE_VAL;
  const double value = std::isinf(got) ? std::copysign(2 * 32768.0, got) : got;
  return std::fabs(value - truth) / half_unit(truth);
}

} // namespace

bool has_half_form(const Function& f) {
  return f.f32 && !f.name.starts_with("half_") && !f.name.starts_with("native_");
}

double half_limit(const Function& f) {
  if (f.name == "erf" || f.name == "erfc" || f.name == "tgamma") return 4;
  return f.name == "rsqrt" ? 1 : 2;
}

Measurement measure_half(const Function& f) {
  Measurement m;
  for (uint32_t bits = 0; bits < 1u << 16; ++bits) {
    const double x = half_from_bits(bits);
    if (!is_comparable(f, x, 0)) continue;
    const double error = half_error(round_to_half(f.f32(float(x))), f.reference32(x));
    if (++m.samples == 1 || error > m.worst) m = {error, x, 0, m.samples};
  }
  return m;
}

Measurement measure(const Function& f, uint64_t samples, uint64_t seed) {
  Measurement m;
  if (f.format == Format::F32) {
    measure_specials<float>(m, f);
    measure_random<float>(m, f, samples, seed);
  } else {
    measure_specials<double>(m, f);
    measure_random<double>(m, f, samples, seed);
  }
  return m;
}

double error_of_result(const Function& f, float x, float got) { return error_of(got, f.reference32(x)); }

} // namespace zeroth::accuracy
