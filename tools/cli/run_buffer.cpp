#include "cli/run_buffer.hpp"

#include "cli/commands.hpp"

extern "C" {
#include "picture/picture.h"
}

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <memory>

namespace zeroth::cli {
namespace {

struct PictureOwner {
  picture_t picture{};
  PictureOwner() = default;
  PictureOwner(const PictureOwner&) = delete;
  ~PictureOwner() { picture_free(&picture); }
  size_t pixels() const { return size_t(picture.width) * picture.height; }
};

std::vector<std::byte> read_bytes(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream) throw Failure(fmt::format("cannot read {}: {}", file.string(), std::strerror(errno)));
  std::vector<std::byte> bytes(size_t(stream.tellg()));
  stream.seekg(0).read(reinterpret_cast<char*>(bytes.data()), std::streamsize(bytes.size()));
  return bytes;
}

std::vector<std::byte> read_text(const std::filesystem::path& file, ElementType type) {
  std::ifstream stream(file);
  if (!stream) throw Failure(fmt::format("cannot read {}: {}", file.string(), std::strerror(errno)));
  std::vector<std::byte> bytes;
  for (std::string word; stream >> word;) append_element(bytes, type, word);
  return bytes;
}

std::vector<std::byte> read_picture(const std::filesystem::path& file, ElementType type) {
  PictureOwner owner;
  if (picture_read(file.c_str(), &owner.picture) != 0) throw Failure(fmt::format("cannot read {}", file.string()));
  if (type != ElementType::U8 && type != ElementType::F32)
    throw Failure(fmt::format("{}: a picture fills buffers of type u8 (RGB) or f32 (brightness)", file.string()));
  std::vector<std::byte> bytes(owner.pixels() * (type == ElementType::U8 ? 3 : sizeof(float)));
  if (type == ElementType::U8) std::memcpy(bytes.data(), owner.picture.rgb, bytes.size());
  if (type == ElementType::F32) picture_brightness(&owner.picture, reinterpret_cast<float*>(bytes.data()));
  return bytes;
}

void fill_grey(picture_t& picture, const std::vector<std::byte>& bytes, ElementType type) {
  const size_t pixels = size_t(picture.width) * picture.height;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (size_t i = 0; i < pixels; ++i) {
    low = std::min(low, element_value(bytes, type, i));
    high = std::max(high, element_value(bytes, type, i));
  }
  const double scale = high > low ? 255 / (high - low) : 0;
  for (size_t i = 0; i < pixels; ++i)
    std::memset(picture.rgb + 3 * i, int((element_value(bytes, type, i) - low) * scale), 3);
}

void write_picture(const std::filesystem::path& file, const std::vector<std::byte>& bytes, ElementType type,
                   uint32_t width, uint32_t height) {
  PictureOwner owner;
  const size_t values = bytes.size() / size_of(type);
  if (picture_create(width, height, &owner.picture) != 0 || values < owner.pixels())
    throw Failure(fmt::format("{}: {} values do not fill a picture of {} x {}", file.string(), values, width, height));
  const bool colour = type == ElementType::U8 && values >= 3 * owner.pixels();
  if (colour) std::memcpy(owner.picture.rgb, bytes.data(), 3 * owner.pixels());
  if (!colour) fill_grey(owner.picture, bytes, type);
  if (picture_write(file.c_str(), &owner.picture) != 0) throw Failure(fmt::format("cannot write {}", file.string()));
}

} // namespace

std::vector<std::byte> read_buffer(const std::filesystem::path& file, ElementType type) {
  if (std::filesystem::is_directory(file)) throw Failure(fmt::format("{} is a folder, not a file", file.string()));
  if (file.extension() == ".png") return read_picture(file, type);
  if (file.extension() == ".txt") return read_text(file, type);
  return read_bytes(file);
}

std::string buffer_text(const std::vector<std::byte>& bytes, ElementType type) {
  std::string text;
  const size_t count = bytes.size() / size_of(type);
  for (size_t i = 0; i < count; ++i)
    text += element_text(bytes, type, i) + (i % 16 == 15 || i + 1 == count ? '\n' : ' ');
  return text;
}

void write_buffer(const std::filesystem::path& file, const std::vector<std::byte>& bytes, ElementType type,
                  uint32_t width, uint32_t height) {
  if (file.extension() == ".png") return write_picture(file, bytes, type, width, height);
  std::ofstream stream(file, std::ios::binary);
  if (file.extension() == ".txt")
    stream << buffer_text(bytes, type);
  else
    stream.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  if (!stream.flush()) throw Failure(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
}

} // namespace zeroth::cli
