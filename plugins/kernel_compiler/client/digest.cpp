#include "digest.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

namespace zeroth::compiler {
namespace {

constexpr std::array<uint64_t, 8> initial = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                             0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                             0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
constexpr uint8_t schedule[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

inline void mix(uint64_t* v, int a, int b, int c, int d, uint64_t x, uint64_t y) {
  v[a] += v[b] + x;
  v[d] = std::rotr(v[d] ^ v[a], 32);
  v[c] += v[d];
  v[b] = std::rotr(v[b] ^ v[c], 24);
  v[a] += v[b] + y;
  v[d] = std::rotr(v[d] ^ v[a], 16);
  v[c] += v[d];
  v[b] = std::rotr(v[b] ^ v[c], 63);
}

} // namespace

Hasher::Hasher() : state_(initial) { state_[0] ^= 0x01010000 ^ sizeof(Digest); }

void Hasher::update(std::span<const std::byte> data) {
  while (!data.empty()) {
    // A full buffer is kept until more data comes: the last block is compressed with another flag.
    if (buffered_ == buffer_.size()) {
      total_ += buffered_;
      compress(buffer_.data(), false);
      buffered_ = 0;
    }
    const size_t part = std::min(data.size(), buffer_.size() - buffered_);
    std::memcpy(buffer_.data() + buffered_, data.data(), part);
    buffered_ += part;
    data = data.subspan(part);
  }
}

Digest Hasher::finish() {
  total_ += buffered_;
  std::fill(buffer_.begin() + buffered_, buffer_.end(), std::byte{0});
  compress(buffer_.data(), true);
  Digest digest;
  std::memcpy(digest.data(), state_.data(), digest.size());
  return digest;
}

void Hasher::compress(const std::byte* block, bool last) {
  uint64_t m[16], v[16];
  std::memcpy(m, block, sizeof m);
  std::copy(state_.begin(), state_.end(), v);
  std::copy(initial.begin(), initial.end(), v + 8);
  v[12] ^= total_;
  if (last) v[14] = ~v[14];
  for (int round = 0; round < 12; ++round) {
    const uint8_t* s = schedule[round % 10];
    mix(v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
    mix(v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
    mix(v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
    mix(v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
    mix(v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
    mix(v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
    mix(v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
    mix(v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
  }
  for (int i = 0; i < 8; ++i) state_[i] ^= v[i] ^ v[i + 8];
}

Digest digest_of(std::span<const std::byte> data) {
  Hasher hasher;
  hasher.update(data);
  return hasher.finish();
}

std::optional<Digest> from_hex(std::string_view text) {
  Digest digest;
  if (text.size() != 2 * digest.size()) return std::nullopt;
  for (size_t i = 0; i < digest.size(); ++i) {
    uint8_t value = 0;
    const char* end = text.data() + 2 * i + 2;
    if (std::from_chars(end - 2, end, value, 16).ptr != end) return std::nullopt;
    digest[i] = std::byte{value};
  }
  return digest;
}

std::string to_hex(const Digest& digest) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::byte b : digest) {
    text += digits[std::to_integer<int>(b) >> 4];
    text += digits[std::to_integer<int>(b) & 15];
  }
  return text;
}

} // namespace zeroth::compiler
