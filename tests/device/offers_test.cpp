#include "offers.hpp"

#include <algorithm>

namespace device_tests {
namespace {

bool among(const std::vector<std::string>& names, const std::string& name) {
  return std::count(names.begin(), names.end(), name) != 0;
}

TEST(Offers, AreThoseOfTheList) {
  ASSERT_NE(listed().device, "") << "offers.json knows no device of this kind: give it an entry";
  for (const auto& [offer, ask] : all_offers()) {
    const bool required = among(listed().offers, offer), lacking = listed().lacks.contains(offer);
    EXPECT_NE(required, lacking) << offer << ": the list must say one of both";
    EXPECT_EQ(ask(), required) << offer;
  }
  for (const auto& [offer, why] : listed().lacks) {
    EXPECT_NE(why, "") << offer;
    EXPECT_EQ(offers(offer), false) << offer; // throws for a name that nobody asks for
  }
  for (const std::string& offer : listed().offers) EXPECT_TRUE(offers(offer)) << offer;
}

TEST(Offers, ExtensionsAreThoseOfTheList) {
  std::uint32_t count = 0;
  ASSERT_OK(zeDriverGetExtensionProperties(Device::get().driver, &count, nullptr));
  std::vector<ze_driver_extension_properties_t> all(count);
  ASSERT_OK(zeDriverGetExtensionProperties(Device::get().driver, &count, all.data()));
  std::vector<std::string> found(count);
  std::transform(all.begin(), all.end(), found.begin(), [](const auto& extension) { return extension.name; });
  for (const std::string& name : found) EXPECT_TRUE(among(listed().extensions, name)) << name << " is not on the list";
  for (const std::string& name : listed().extensions) EXPECT_TRUE(among(found, name)) << name << " is missing";
}

} // namespace
} // namespace device_tests
