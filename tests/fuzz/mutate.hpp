// What the fuzz targets share: bytes as SPIR-V words, and a mutator that knows instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace zeroth::fuzz {

std::vector<uint32_t> words_of(const uint8_t* data, size_t size);

} // namespace zeroth::fuzz
