// How the values of one instruction lie over the work-items of a slice.
#pragma once

#include <cstdint>

namespace zeroth::codegen {

// Unknown:  not computed yet (or undefined).
// Uniform:  the same for all work-items of the slice.
// Strided:  within each part, the first work-item's value plus stride times the lane; stride 0: the same within a part.
// Varying:  any.
struct ValueShape {
  enum Kind : uint8_t { Unknown, Uniform, Strided, Varying } kind = Unknown;
  int64_t stride = 0; // of Strided; in bytes for pointers

  bool is_uniform() const { return kind == Uniform; }
  bool is_varying() const { return kind == Varying; }
  bool is_strided() const { return kind == Strided; }
  bool same_in_part() const { return kind == Uniform || (kind == Strided && stride == 0); }
  bool operator==(const ValueShape&) const = default;

  static ValueShape uniform() { return {Uniform, 0}; }
  static ValueShape varying() { return {Varying, 0}; }
  // Strides too far to be of use (or of danger to arithmetic) are any.
  static ValueShape strided(int64_t stride) {
    constexpr int64_t Limit = int64_t(1) << 30;
    return stride < -Limit || stride > Limit ? varying() : ValueShape{Strided, stride};
  }
};

// The shape that holds for values of either shape.
inline ValueShape join(ValueShape a, ValueShape b) {
  if (a.kind == ValueShape::Unknown || a == b) return b;
  if (b.kind == ValueShape::Unknown) return a;
  if (a.same_in_part() && b.same_in_part()) return ValueShape::strided(0);
  return ValueShape::varying();
}

} // namespace zeroth::codegen
