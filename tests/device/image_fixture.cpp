#include "image_fixture.hpp"

#include <cmath>
#include <memory>

namespace device_tests {

Kernel& kernel(const std::string& name) {
  static auto& made = *new std::vector<std::pair<std::string, std::unique_ptr<Kernel>>>;
  for (auto& [known, k] : made)
    if (known == name) return *k;
  return *made.emplace_back(name, std::make_unique<Kernel>("images", name)).second;
}

HostImage random_image(Random& random, const ImageFormat& format, ze_image_type_t type, const char* swizzle) {
  HostImage image{format, swizzle, type};
  image.width = 1 + static_cast<int>(random.next() % 23);
  if (image.extents() > 1) image.height = 1 + static_cast<int>(random.next() % 9);
  if (image.extents() > 2) image.depth = 1 + static_cast<int>(random.next() % 5);
  if (image.array()) image.layers = 1 + static_cast<int>(random.next() % 4);
  for (std::size_t i = 0; i < image.texels(); ++i) {
    std::vector<std::uint8_t> texel(format.bytes);
    for (std::uint8_t& byte : texel) byte = static_cast<std::uint8_t>(random.next() >> 7);
    if (format.floating())
      texel = encode(format, {random.real(-9, 9), random.real(-1, 9), random.real(0, 1), random.real(-2, 2)});
    image.bytes.insert(image.bytes.end(), texel.begin(), texel.end());
  }
  return image;
}

void expect_texel(const Float4& found, const Texel& expected, bool filtered, const HostImage& image,
                  const std::string& what) {
  for (std::size_t i = 0; i < 4; ++i) {
    const auto exact = static_cast<float>(expected[i]);
    if (!filtered) {
      ASSERT_TRUE(found[i] == exact || (std::isnan(found[i]) && std::isnan(exact)))
          << what << " component " << i << ": " << found[i] << " instead of " << exact;
      continue;
    }
    // The largest texel's size times some roundings.
    const double scale = image.format.floating() ? 9 : 1;
    ASSERT_NEAR(found[i], expected[i], scale * 1e-6) << what << " component " << i;
  }
}

} // namespace device_tests
