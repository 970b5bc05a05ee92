// BLAKE2b-256 (RFC 7693): names cache entries by content and guards native binaries against damage.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace zeroth::compiler {

using Digest = std::array<std::byte, 32>;

class Hasher {
public:
  Hasher();
  void update(std::span<const std::byte> data);
  Digest finish();

private:
  void compress(const std::byte* block, bool last);

  std::array<uint64_t, 8> state_;
  std::array<std::byte, 128> buffer_{};
  size_t buffered_ = 0;
  uint64_t total_ = 0;
};

Digest digest_of(std::span<const std::byte> data);
std::string to_hex(const Digest& digest);
// Of what to_hex() makes; nothing for anything else.
std::optional<Digest> from_hex(std::string_view text);

} // namespace zeroth::compiler
