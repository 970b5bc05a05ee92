#include "decimal.hpp"

namespace zeroth::runtime {
namespace {

using u64 = unsigned long;
constexpr unsigned base = 1000000000;
constexpr unsigned powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

} // namespace

Decimal::Decimal(double x) {
  for (unsigned& limb : limbs_) limb = 0;
  const u64 bits = __builtin_bit_cast(u64, x) & ~(u64{1} << 63);
  u64 mantissa = bits & ((u64{1} << 52) - 1);
  int exponent = int(bits >> 52);
  mantissa |= exponent ? u64{1} << 52 : 0;
  exponent = (exponent ? exponent : 1) - 1075;
  // The mantissa as an integer, then doubled or halved as often as the exponent says, many bits at a time.
  for (int i = integer_limbs - 1; mantissa; mantissa /= base) limbs_[i--] = unsigned(mantissa % base);
  while (exponent > 0) {
    const int shift = exponent < 29 ? exponent : 29;
    exponent -= shift;
    u64 carry = 0;
    for (int i = integer_limbs - 1; i >= 0; --i) {
      const u64 value = (u64{limbs_[i]} << shift) + carry;
      limbs_[i] = unsigned(value % base);
      carry = value / base;
    }
  }
  while (exponent < 0) {
    const int shift = -exponent < 9 ? -exponent : 9; // base has nine factors of two: remainders stay whole
    exponent += shift;
    u64 rest = 0;
    for (unsigned& limb : limbs_) {
      const u64 value = rest * base + limb;
      limb = unsigned(value >> shift);
      rest = value & ((u64{1} << shift) - 1);
    }
  }
}

int Decimal::index_of(int power) const {
  return power >= 0 ? integer_limbs - 1 - power / limb_digits : integer_limbs + (-power - 1) / limb_digits;
}

int Decimal::digit(int power) const {
  const int index = index_of(power);
  if (index < 0 || index >= integer_limbs + fraction_limbs) return 0;
  const int within = power >= 0 ? power % limb_digits : limb_digits - 1 - (-power - 1) % limb_digits;
  return int(limbs_[index] / powers[within] % 10);
}

void Decimal::round(int places) {
  const int index = index_of(-places);
  if (index >= integer_limbs + fraction_limbs) return;
  // places may be negative down to rounding before the point (from %e of large numbers).
  const int power = -places;
  const int within = power >= 0 ? power % limb_digits : limb_digits - 1 - (-power - 1) % limb_digits;
  bool below = false;
  for (int i = index + 1; i < integer_limbs + fraction_limbs; ++i) {
    below = below || limbs_[i] != 0;
  }
  const unsigned unit = powers[within];
  const unsigned lost = limbs_[index] % unit;
  // Half of the unit, compared exactly: within the limb, or as the leading half of the next one.
  const unsigned next = index + 1 < integer_limbs + fraction_limbs ? limbs_[index + 1] : 0;
  bool next_tail = false;
  for (int i = index + 2; i < integer_limbs + fraction_limbs; ++i) next_tail = next_tail || limbs_[i] != 0;
  const unsigned half = unit / 2;
  const bool above_half =
      unit > 1 ? lost > half || (lost == half && below) : next > base / 2 || (next == base / 2 && next_tail);
  const bool tie = unit > 1 ? lost == half && !below : next == base / 2 && !next_tail;
  limbs_[index] -= lost;
  for (int i = index + 1; i < integer_limbs + fraction_limbs; ++i) limbs_[i] = 0;
  if (!above_half && !(tie && (limbs_[index] / unit & 1))) return;
  unsigned carry = unit;
  for (int i = index; i >= 0 && carry; --i) {
    const unsigned value = limbs_[i] + carry;
    carry = value >= base;
    limbs_[i] = carry ? value - base : value;
  }
}

int Decimal::exponent() const {
  for (int i = 0; i < integer_limbs + fraction_limbs; ++i) {
    if (limbs_[i] == 0) continue;
    int top = limb_digits - 1;
    while (limbs_[i] < powers[top]) --top;
    return (integer_limbs - 1 - i) * limb_digits + top;
  }
  return 0;
}

bool Decimal::is_zero() const {
  for (unsigned limb : limbs_)
    if (limb) return false;
  return true;
}

} // namespace zeroth::runtime
