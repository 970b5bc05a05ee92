// Measures the built-in functions against references of higher precision. Used by the test and by the table for
// docs/accuracy.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace zeroth::accuracy {

enum class Format { F32, F64 };

// One function in one format. Exactly one of the pointers of each kind is set.
struct Function {
  std::string name;
  Format format;
  double limit; // units in the last place that the OpenCL full profile allows
  // Arguments that make sense: |x| in [low, high] (both signs unless positive_only), and the same for y.
  double low, high;
  bool positive_only;
  double y_low, y_high;

  float (*f32)(float) = nullptr;
  float (*f32_binary)(float, float) = nullptr;
  float (*f32_int)(float, int) = nullptr;
  double (*f64)(double) = nullptr;
  double (*f64_binary)(double, double) = nullptr;
  double (*f64_int)(double, int) = nullptr;
  // References: double for f32, quadruple for f64 (as long double pairs do not reach).
  double (*reference32)(double) = nullptr;
  double (*reference32_binary)(double, double) = nullptr;
  __float128 (*reference64)(__float128) = nullptr;
  __float128 (*reference64_binary)(__float128, __float128) = nullptr;
};

const std::vector<Function>& functions();

struct Measurement {
  double worst = 0; // units in the last place
  double at_x = 0, at_y = 0;
  uint64_t samples = 0;
};

// Random arguments spread over exponents, and every special value. A wrong special value (NaN, infinity, sign of zero)
// counts as an infinite error.
Measurement measure(const Function& function, uint64_t samples, uint64_t seed);

// The error of one result of a single-precision function of one argument.
double error_of_result(const Function& function, float x, float got);

// What C leaves open or OpenCL defines otherwise is not compared here but in builtins_test.cpp.
bool is_comparable(const Function& function, double x, double y);

// All 2^16 arguments of a function of one argument in half precision: computed in single precision and rounded once
// more, as kernels do it.
Measurement measure_half(const Function& function);
double half_limit(const Function& function); // of OpenCL's full profile
bool has_half_form(const Function& function);

} // namespace zeroth::accuracy
