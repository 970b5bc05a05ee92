#include "scalar.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>

namespace zeroth::random_programs {
namespace {

float as_float(uint64_t bits) { return std::bit_cast<float>(uint32_t(bits)); }
uint64_t bits_of(float value) { return std::bit_cast<uint32_t>(value); }

template <typename U, typename S> uint64_t apply_integer(Op op, U a, U b) {
  const S sa = S(a), sb = S(b);
  switch (op) {
  case Op::Add:
    return U(a + b);
  case Op::Sub:
    return U(a - b);
  case Op::Mul:
    return U(a * b);
  case Op::And:
    return a & b;
  case Op::Or:
    return a | b;
  case Op::Xor:
    return a ^ b;
  case Op::Not:
    return U(~a);
  case Op::Shl:
    return U(a << b);
  case Op::ShrU:
    return a >> b;
  case Op::ShrS:
    return U(sa >> b);
  case Op::DivU:
    return a / b;
  case Op::RemU:
    return a % b;
  case Op::DivS:
    return U(sa / sb);
  case Op::RemS:
    return U(sa % sb);
  case Op::MinU:
    return std::min(a, b);
  case Op::MaxU:
    return std::max(a, b);
  case Op::MinS:
    return U(std::min(sa, sb));
  case Op::MaxS:
    return U(std::max(sa, sb));
  case Op::PopCount:
    return uint64_t(std::popcount(a));
  case Op::Clz:
    return uint64_t(std::countl_zero(a));
  case Op::Equal:
    return a == b;
  case Op::NotEqual:
    return a != b;
  case Op::LessU:
    return a < b;
  case Op::LessS:
    return sa < sb;
  default:
    return 0;
  }
}

uint64_t apply_float(Op op, float a, float b) {
  switch (op) {
  case Op::FAdd:
    return bits_of(a + b);
  case Op::FSub:
    return bits_of(a - b);
  case Op::FMul:
    return bits_of(a * b);
  case Op::FMin:
    return bits_of(std::fmin(a, b));
  case Op::FMax:
    return bits_of(std::fmax(a, b));
  case Op::FAbs:
    return bits_of(std::fabs(a));
  case Op::FLess:
    return a < b;
  case Op::FToS:
    return uint32_t(int32_t(a));
  default:
    return bits_of(a); // FloatBits
  }
}

} // namespace

uint64_t apply_scalar(Op op, Type type, const uint64_t v[3]) {
  switch (op) {
  case Op::Select:
    return v[0] ? v[1] : v[2];
  case Op::LogicalAnd:
    return v[0] & v[1];
  case Op::LogicalOr:
    return v[0] | v[1];
  case Op::LogicalNot:
    return v[0] ^ 1;
  case Op::SignExtend8:
    return uint32_t(int32_t(int8_t(v[0])));
  case Op::ZeroExtend16:
    return uint16_t(v[0]);
  case Op::ZeroExtend64:
    return uint32_t(v[0]);
  case Op::SignExtend64:
    return uint64_t(int64_t(int32_t(v[0])));
  case Op::Truncate32:
    return uint32_t(v[0]);
  case Op::SToF:
    return bits_of(float(int32_t(v[0])));
  default:
    break;
  }
  if (type == Type::F32) return apply_float(op, as_float(v[0]), as_float(v[1]));
  if (type == Type::U64) return apply_integer<uint64_t, int64_t>(op, v[0], v[1]);
  return apply_integer<uint32_t, int32_t>(op, uint32_t(v[0]), uint32_t(v[1]));
}

uint32_t apply_atomic(AtomicOp op, uint32_t old, uint32_t operand) {
  switch (op) {
  case AtomicOp::Add:
    return old + operand;
  case AtomicOp::And:
    return old & operand;
  case AtomicOp::Or:
    return old | operand;
  case AtomicOp::Xor:
    return old ^ operand;
  case AtomicOp::MinU:
    return std::min(old, operand);
  case AtomicOp::MaxU:
    return std::max(old, operand);
  }
  return old;
}

std::vector<uint32_t> apply_sub_group(SubGroupOp op, const std::vector<uint32_t>& values,
                                      const std::vector<uint32_t>& lanes, uint32_t size) {
  std::vector<uint32_t> results(values);
  if (values.empty()) return results;
  const auto all = [&](uint32_t value) { std::fill(results.begin(), results.end(), value); };
  const auto fold = [&](uint32_t start, auto&& f) { all(std::accumulate(values.begin(), values.end(), start, f)); };
  const auto nonzero = std::count_if(values.begin(), values.end(), [](uint32_t v) { return v != 0; });
  switch (op) {
  case SubGroupOp::ReduceAdd:
    fold(0u, std::plus<uint32_t>());
    break;
  case SubGroupOp::ReduceXor:
    fold(0u, std::bit_xor<uint32_t>());
    break;
  case SubGroupOp::ReduceMinU:
    all(*std::min_element(values.begin(), values.end()));
    break;
  case SubGroupOp::ReduceMaxS:
    all(*std::max_element(values.begin(), values.end(),
                          [](uint32_t a, uint32_t b) { return int32_t(a) < int32_t(b); }));
    break;
  case SubGroupOp::InclusiveAdd:
    std::partial_sum(values.begin(), values.end(), results.begin());
    break;
  case SubGroupOp::ExclusiveAdd:
    std::exclusive_scan(values.begin(), values.end(), results.begin(), 0u);
    break;
  case SubGroupOp::BroadcastFirst:
    all(values.front());
    break;
  case SubGroupOp::Reverse:
    std::reverse(results.begin(), results.end());
    break;
  case SubGroupOp::Any:
    all(nonzero != 0);
    break;
  case SubGroupOp::All:
    all(size_t(nonzero) == values.size());
    break;
  case SubGroupOp::CountBallot:
    all(uint32_t(nonzero));
    break;
  case SubGroupOp::ScanMinU:
    std::partial_sum(values.begin(), values.end(), results.begin(),
                     [](uint32_t a, uint32_t b) { return std::min(a, b); });
    break;
  case SubGroupOp::ScanOr:
    std::partial_sum(values.begin(), values.end(), results.begin(), std::bit_or<uint32_t>());
    break;
  case SubGroupOp::ExclusiveMaxS:
    std::exclusive_scan(values.begin(), values.end(), results.begin(), 0x80000000u,
                        [](uint32_t a, uint32_t b) { return int32_t(a) < int32_t(b) ? b : a; });
    break;
  case SubGroupOp::LowestBallot: {
    const auto odd = std::find_if(values.begin(), values.end(), [](uint32_t v) { return v & 1; });
    all(odd == values.end() ? size : lanes[size_t(odd - values.begin())]);
    break;
  }
  case SubGroupOp::Elect:
    all(0);
    results[0] = 1;
    break;
  case SubGroupOp::AllEqual:
    all(size_t(std::count(values.begin(), values.end(), values.front())) == values.size());
    break;
  case SubGroupOp::BallotBelow:
    std::transform_exclusive_scan(values.begin(), values.end(), results.begin(), 0u, std::plus<uint32_t>(),
                                  [](uint32_t v) { return v & 1; });
    break;
  }
  return results;
}

} // namespace zeroth::random_programs
