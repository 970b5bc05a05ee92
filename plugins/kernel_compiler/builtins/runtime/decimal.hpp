// Exact decimal digits of a double: what printf needs, without the host's locale.
#pragma once

namespace zeroth::runtime {

// |x| for finite x as a decimal number: integer limbs before the point, fraction limbs after it, nine digits each.
// About 700 bytes: kernels may print from fibers with small stacks.
class Decimal {
public:
  explicit Decimal(double x);

  // Rounded to `places` digits after the point (to nearest, ties to even on the exact value).
  void round(int places);
  // The power of ten of the first digit that is not zero; 0 for zero.
  int exponent() const;
  // The digit that counts 10^power.
  int digit(int power) const;
  bool is_zero() const;

private:
  static constexpr int limb_digits = 9, integer_limbs = 35, fraction_limbs = 120;
  unsigned limb_at(int power) const;
  int index_of(int power) const;

  unsigned limbs_[integer_limbs + fraction_limbs]; // most significant first
};

} // namespace zeroth::runtime
