// What the device under test offers, beside the checked-in list of what it must offer (offers.json): a test that needs
// more than every device has asks here, and is skipped only where the list says that this device lacks it, and why. A
// device that loses something fails its tests; so does one that gains what its list denies.
#pragma once
#include "fixture.hpp"

#include <functional>
#include <map>

namespace device_tests {

// Asks the device. `offer` is the name of an extension, or of all_offers(); throws std::out_of_range for another.
bool offers(const std::string& offer);

// Everything that devices may differ in, beside extensions, and how to ask for it.
const std::map<std::string, std::function<bool()>>& all_offers();

// The list's entry for the device under test.
struct Listed {
  std::string device; // empty: the list has no such device, which must not lack anything then
  std::vector<std::string> offers, extensions;
  std::map<std::string, std::string> lacks; // with reasons
  struct Skip {
    std::string tests, when, why; // tests: what their names begin with
  };
  std::vector<Skip> skips;
};
const Listed& listed();

// Why this device may lack it, and from now on the running test may be skipped; empty: it must not.
std::string why_lacking(const std::string& offer);

} // namespace device_tests

// First in a test, or in its SetUp().
#define NEEDS(offer)                                                                                                   \
  if (!::device_tests::offers(offer)) {                                                                                \
    const std::string why = ::device_tests::why_lacking(offer);                                                        \
    ASSERT_NE(why, "") << "the device does not offer " << (offer) << ", and offers.json does not say that it may not"; \
    GTEST_SKIP() << why;                                                                                               \
  }
