// Buffers of `zeroth run` from and to files. The format follows the file's ending: .txt numbers between blanks, .png
// a picture, anything else raw bytes. All failures are Failure, naming the file.
#pragma once

#include "cli/run_argument.hpp"

#include <filesystem>

namespace zeroth::cli {

// A picture becomes u8 RGB bytes, or brightness from 0 to 1 for f32.
std::vector<std::byte> read_buffer(const std::filesystem::path& file, ElementType type);

// For pictures: `width` x `height` pixels. u8 with three values a pixel is colour; everything else is grey, one value a
// pixel, stretched over the range of the values.
void write_buffer(const std::filesystem::path& file, const std::vector<std::byte>& bytes, ElementType type,
                  uint32_t width, uint32_t height);

// Values as text, sixteen a line.
std::string buffer_text(const std::vector<std::byte>& bytes, ElementType type);

} // namespace zeroth::cli
