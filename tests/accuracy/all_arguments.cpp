#include "all_arguments.hpp"

#include "fast_references.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace zeroth::accuracy {
namespace {

constexpr size_t block_size = CompiledBuiltin::block;

// 1 / the unit in the last place of a float near this value, by its exponent.
inline double inverse_unit(double value) {
  constexpr int64_t lowest = -126, digits = 23, bias = 1023;
  const int64_t exponent = (std::bit_cast<int64_t>(value) >> 52 & 0x7ff) - bias;
  return std::bit_cast<double>((bias + digits - std::max(exponent, lowest)) << 52);
}

// Never false where a result is wrong, or its error above `limit` units and the slack of the fast reference.
inline bool deserves_a_look(float got, double truth, double limit) {
  const float rounded = float(truth);
  const bool none = (got != got) & (rounded != rounded);
  const bool same_sign = std::bit_cast<int32_t>(got) >> 31 == std::bit_cast<int32_t>(rounded) >> 31;
  const bool right = (got == rounded) & ((got != 0) | same_sign | (truth != 0));
  const bool close = std::fabs(double(got) - truth) * inverse_unit(truth) < limit;
  return !(none | right | close);
}

class AllArguments {
public:
  explicit AllArguments(const Function& function)
      : function_(function), reference_(fast_reference(function.name)), compiled_(function.name) {
    if (!function.f32 || !reference_) throw std::invalid_argument("no fast reference for " + function.name);
  }

  void add(uint64_t block) {
    for (size_t i = 0; i < block_size; ++i) {
      arguments_[i] = std::bit_cast<float>(uint32_t(block * block_size + i));
      wide_[i] = arguments_[i];
    }
    const uint64_t compared = count_comparable();
    if (!compared) return;
    result_.samples += compared;
    const std::array<float, block_size>& got = compiled_(arguments_);
    reference_(wide_.data(), truth_.data(), block_size);
    const double limit = result_.worst * (1 - 0x1p-20) - 0x1p-16; // 2^-40 of a result is less than the difference
    unsigned looks = 0;
    for (size_t i = 0; i < block_size; ++i) looks += look_[i] = deserves_a_look(got[i], truth_[i], limit);
    for (size_t i = 0; i < block_size && looks; ++i)
      if (look_[i]) look(arguments_[i], got[i]);
  }

  Measurement result() const { return result_; }

private:
  void look(float x, float got) {
    if (!is_comparable(function_, x, 0)) return;
    const double error = error_of_result(function_, x, got);
    if (error <= result_.worst) return;
    result_.worst = error;
    result_.at_x = x;
  }

  // What is compared is a range for all functions but one; a block does not hold both of its ends.
  uint64_t count_comparable() const {
    const bool first = is_comparable(function_, arguments_.front(), 0);
    if (function_.name != "tgamma" && first == is_comparable(function_, arguments_.back(), 0))
      return first ? block_size : 0;
    return uint64_t(std::ranges::count_if(arguments_, [&](float x) { return is_comparable(function_, x, 0); }));
  }

  const Function& function_;
  ManyReferences reference_;
  CompiledBuiltin compiled_;
  alignas(64) std::array<float, block_size> arguments_{};
  alignas(64) std::array<double, block_size> wide_{}, truth_{};
  alignas(64) std::array<uint8_t, block_size> look_{};
  Measurement result_;
};

} // namespace

Measurement measure_blocks(const Function& function, const Blocks& blocks) {
  AllArguments all(function);
  for (uint64_t block = blocks.first; block < Blocks::all; block += blocks.step) all.add(block);
  return all.result();
}

} // namespace zeroth::accuracy
