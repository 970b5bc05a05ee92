// Deterministic input data and the sum that outputs are compared by.
#include "suite/cases.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <utility>

namespace zeroth::bench {
namespace {

// Half to float and back for normal values, which is all that the data holds.
float half_to_float(uint16_t half) {
  const uint32_t magnitude = half & 0x7fff;
  if (magnitude == 0) return 0;
  const float value = std::bit_cast<float>((magnitude << 13) + 0x38000000u);
  return half & 0x8000 ? -value : value;
}

uint16_t float_to_half(float value) {
  if (value < 6.2e-5f) return 0;
  return uint16_t((std::bit_cast<uint32_t>(value) - 0x38000000u) >> 13);
}

template <class T, class Next> std::vector<std::byte> generate(size_t count, Next next) {
  std::vector<std::byte> bytes(count * sizeof(T));
  for (size_t i = 0; i < count; ++i) {
    const T value = next();
    std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
  }
  return bytes;
}

template <class T, class Value> double sum(const std::vector<std::byte>& bytes, Value value_of) {
  double total = 0;
  for (size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + i, sizeof value);
    total += std::abs(double(value_of(value)));
  }
  return total;
}

// Symmetric by their indices' sum, with a diagonal above the rest of a row.
std::vector<std::byte> tiles(const Buffer& buffer, std::minstd_rand& random) {
  const auto size = size_t(buffer.high);
  std::vector<double> by_sum(2 * size);
  for (double& value : by_sum) value = double(random() % 1000) / 1000;
  size_t i = 0;
  return generate<double>(buffer.count, [&] {
    const size_t column = i % size, row = i / size % size;
    ++i;
    return by_sum[row + column] + (row == column ? double(size) : 0);
  });
}

} // namespace

std::vector<std::byte> contents(const Buffer& buffer) {
  std::minstd_rand random(12345);
  std::uniform_real_distribution<double> uniform(buffer.low, buffer.high);
  // Values that keep most work-items of ctlflow.cl inside its loops.
  static constexpr int32_t steps[] = {-1, 1, 2, 5, 6, 8, 9, 13, 14, 16, 17, 1};
  switch (buffer.fill) {
  case Fill::Float:
    return generate<float>(buffer.count, [&] { return float(uniform(random)); });
  case Fill::Half:
    return generate<uint16_t>(buffer.count, [&] { return float_to_half(float(uniform(random))); });
  case Fill::Double:
    return generate<double>(buffer.count, [&] { return uniform(random); });
  case Fill::Integer:
    return generate<uint32_t>(buffer.count, [&] { return uint32_t(uniform(random)); });
  case Fill::ControlFlow:
    return generate<int32_t>(buffer.count, [&] { return steps[random() % std::size(steps)]; });
  case Fill::RowStart: {
    uint32_t start = 0;
    return generate<uint32_t>(buffer.count, [&] { return std::exchange(start, start + uint32_t(uniform(random))); });
  }
  case Fill::Multiples: {
    uint32_t next = 0;
    return generate<uint32_t>(buffer.count, [&] { return std::exchange(next, next + uint32_t(buffer.high)); });
  }
  case Fill::Letters:
    return generate<uint8_t>(buffer.count, [&] { return uint8_t('a' + random() / 64 % 4); });
  case Fill::Tiles:
    return tiles(buffer, random);
  case Fill::Zero:
    break;
  }
  return std::vector<std::byte>(buffer.bytes());
}

std::vector<std::byte> contents(const Picture& picture) {
  return contents(Buffer{picture.random ? Fill::Integer : Fill::Zero, picture.bytes() / 4, 4, 0, 4294967296.0});
}

double checksum(const std::vector<std::byte>& bytes, Output type) {
  switch (type) {
  case Output::Float:
    return sum<float>(bytes, [](float v) { return v; });
  case Output::Half:
    return sum<uint16_t>(bytes, half_to_float);
  case Output::Double:
    return sum<double>(bytes, [](double v) { return v; });
  case Output::Bytes:
    return sum<uint8_t>(bytes, [](uint8_t v) { return v; });
  case Output::Integer:
    break;
  }
  return sum<int32_t>(bytes, [](int32_t v) { return v; });
}

} // namespace zeroth::bench
