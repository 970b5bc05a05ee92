// The registry without the library around it: overlays, driver order, requested types, attachment of odd plugins.
#include <dlfcn.h>
#include <memory>

#include <gtest/gtest.h>

#include <registry/backend.hpp>
#include <registry/driver_order.hpp>
#include <registry/session.hpp>
#include <sdk/error.hpp>

namespace zeroth {
void note_unsupported(const char*) noexcept {}
} // namespace zeroth

namespace {

using namespace zeroth;
using namespace zeroth::registry;

FoundDriver fake_driver(const char* path = FAKE_CPU) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  FoundDriver driver;
  driver.name = "fake";
  driver.symbol = [library](const char* name) { return dlsym(library, name); };
  return driver;
}

// Backends live as long as the process: a plugin's containers point into them.
template <class T, class... Arguments> T& for_ever(Arguments&&... arguments) {
  static auto& kept = *new std::vector<std::unique_ptr<T>>;
  return *kept.emplace_back(std::make_unique<T>(std::forward<Arguments>(arguments)...));
}

Backend* backend_of(FoundDriver found) { return &for_ever<Backend>(std::move(found)); }

ze_device_handle_t device_of(const Backend& backend) {
  ze_driver_handle_t driver = backend.drivers().front().core;
  ze_device_handle_t device = nullptr;
  std::uint32_t count = 1;
  auto* prefix = reinterpret_cast<ze_handle_t*>(driver);
  EXPECT_EQ(prefix->pCore->Device->pfnGet(driver, &count, &device), ZE_RESULT_SUCCESS);
  return device;
}

ze_result_t status_of(ze_device_handle_t device) {
  return reinterpret_cast<ze_handle_t*>(device)->pCore->Device->pfnGetStatus(device);
}

// Overlays that count calls of zeDeviceGetStatus: number 0 is the inner, 1 the outer.
zeroth_host overlay_hosts[2] = {};
int calls[2] = {};
std::vector<int> order;

template <int Number> ze_result_t ZE_APICALL counted_status(ze_device_handle_t device) {
  ++calls[Number];
  order.push_back(Number);
  return zeroth_below(&overlay_hosts[Number], device)->pCore->Device->pfnGetStatus(device);
}

template <int Number> FoundOverlay counting_overlay() {
  overlay_hosts[Number].overlay_number = Number;
  FoundOverlay overlay;
  overlay.number = Number;
  overlay.apply = [](const zeroth_overlay_target& target) {
    EXPECT_STREQ(target.driver_name, "fake");
    EXPECT_NE(target.below->pCore->Graph->pfnInstantiateExt, nullptr) << "every slot below is filled";
    target.above->pCore->Device->pfnGetStatus = counted_status<Number>;
    return true;
  };
  overlay.find_interface = [](const char* name, std::uint32_t) -> const void* {
    return std::string(name) == "number" ? &calls[Number] : nullptr;
  };
  return overlay;
}

TEST(Overlays, are_called_from_the_outermost_in_and_reach_the_plugin) {
  FoundDriver driver = fake_driver();
  driver.overlays = {counting_overlay<0>(), counting_overlay<1>()};
  const Backend& backend = *backend_of(std::move(driver));
  EXPECT_EQ(backend.attachment(), Attachment::InPlace);
  order.clear();
  EXPECT_EQ(status_of(device_of(backend)), ZE_RESULT_SUCCESS);
  EXPECT_EQ(order, (std::vector{1, 0}));
}

TEST(Overlays, that_refuse_leave_the_driver_without_them) {
  FoundDriver driver = fake_driver();
  FoundOverlay refusing = counting_overlay<1>();
  refusing.apply = [](const zeroth_overlay_target& target) {
    target.above->pCore->Device->pfnGetStatus = nullptr;
    return false;
  };
  driver.overlays = {counting_overlay<0>(), refusing};
  const Backend& backend = *backend_of(std::move(driver));
  order.clear();
  EXPECT_EQ(status_of(device_of(backend)), ZE_RESULT_SUCCESS);
  EXPECT_EQ(order, (std::vector{0}));
}

class SysmanOverlays : public ::testing::TestWithParam<std::pair<const char*, Attachment>> {};

TEST_P(SysmanOverlays, come_when_sysman_starts_and_reach_handles_that_are_in_use) {
  FoundDriver driver = fake_driver(GetParam().first);
  driver.foreign = GetParam().second != Attachment::InPlace;
  driver.overlays = {counting_overlay<0>(), counting_overlay<1>()};
  driver.overlays[0].for_sysman = true;
  Backend& backend = *backend_of(std::move(driver));
  EXPECT_EQ(backend.attachment(), GetParam().second);
  ze_device_handle_t device = device_of(backend);
  order.clear();
  status_of(device);
  EXPECT_EQ(order, (std::vector{1})) << "not before";
  ze_bool_t ecc = false;
  const auto ask_sysman = [&] {
    return reinterpret_cast<ze_handle_t*>(device)->pSysman->Device->pfnEccAvailable(device, &ecc);
  };
  EXPECT_EQ(ask_sysman(), ZE_RESULT_ERROR_UNINITIALIZED);
  backend.start_sysman();
  order.clear();
  status_of(device);
  EXPECT_EQ(order, (std::vector{0, 1})) << "outside of the others, whatever its number";
  EXPECT_EQ(ask_sysman(), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) << "the driver's own answer";
  EXPECT_EQ(device_of(backend), device);
}
INSTANTIATE_TEST_SUITE_P(attachments, SysmanOverlays,
                         ::testing::Values(std::pair(FAKE_CPU2, Attachment::InPlace),
                                           std::pair(FOREIGN_DDI, Attachment::Adopted),
                                           std::pair(FOREIGN_PLAIN, Attachment::Wrapped)));

TEST(Overlays, find_interfaces_below_themselves_and_never_their_own) {
  FoundDriver driver = fake_driver();
  static const int own = 0;
  driver.find_interface = [](const char* name, std::uint32_t version) -> const void* {
    return std::string(name) == "own" && version <= 2 ? &own : nullptr;
  };
  FoundOverlay inner = counting_overlay<0>(), outer = counting_overlay<1>();
  inner.apply = [](const zeroth_overlay_target& target) {
    EXPECT_EQ(target.find_interface(&target, "number", 1), nullptr);
    EXPECT_EQ(target.find_interface(&target, "own", 2), &own);
    EXPECT_EQ(target.find_interface(&target, "own", 3), nullptr);
    return true;
  };
  outer.apply = [](const zeroth_overlay_target& target) {
    EXPECT_EQ(target.find_interface(&target, "number", 1), &calls[0]);
    return true;
  };
  driver.overlays = {inner, outer};
  backend_of(std::move(driver));
}

TEST(Backend, says_what_the_configuration_presents) {
  FoundDriver found = fake_driver();
  found.presented.device_name = "A name";
  found.presented.driver_version = 99;
  const Backend& backend = *backend_of(std::move(found));
  ze_driver_handle_t driver = backend.drivers().front().core;
  ze_driver_properties_t properties{};
  EXPECT_EQ(backend.composed().pCore->Driver->pfnGetProperties(driver, &properties), ZE_RESULT_SUCCESS);
  EXPECT_EQ(properties.driverVersion, 99u);
  ze_device_handle_t device = device_of(backend);
  ze_device_properties_t device_properties{};
  EXPECT_EQ(backend.composed().pCore->Device->pfnGetProperties(device, &device_properties), ZE_RESULT_SUCCESS);
  EXPECT_STREQ(device_properties.name, "A name");
}

TEST(Backend, without_a_device_says_so) {
  FoundDriver found;
  found.name = "empty";
  found.symbol = [](const char*) -> void* { return nullptr; };
  try {
    Backend backend(std::move(found));
    FAIL() << "an empty driver was accepted";
  } catch (const Error& error) {
    EXPECT_NE(error.text.find("empty"), std::string::npos) << error.text;
  }
}

TEST(Session, with_the_zero_driver_policy_succeeds_and_lists_none) {
  auto& session = for_ever<Session>([](bool) { return Found{{}, true}; });
  EXPECT_EQ(session.init_core(Everything), ZE_RESULT_SUCCESS);
  EXPECT_EQ(session.init_core(Gpu), ZE_RESULT_SUCCESS);
  EXPECT_TRUE(session.asked_drivers().empty());
}

TEST(Session, keeps_the_good_drivers_when_one_fails_and_tells_its_source) {
  std::string reason;
  auto& session = for_ever<Session>([&](bool) {
    FoundDriver broken;
    broken.name = "broken";
    broken.symbol = [](const char*) -> void* { return nullptr; };
    broken.failed = [&](const std::string& why) { reason = why; };
    Found found;
    found.drivers.push_back(std::move(broken));
    found.drivers.push_back(fake_driver());
    return found;
  });
  EXPECT_EQ(session.init_core(Everything), ZE_RESULT_SUCCESS);
  EXPECT_EQ(session.asked_drivers().size(), 1u);
  EXPECT_FALSE(reason.empty());
}

TEST(Session, refuses_an_init_from_inside_an_init_instead_of_hanging) {
  Session* self = nullptr;
  ze_result_t inner = ZE_RESULT_SUCCESS;
  auto& session = for_ever<Session>([&](bool) {
    inner = self->init_core(Everything);
    return Found{};
  });
  self = &session;
  EXPECT_EQ(session.init_core(Everything), ZE_RESULT_ERROR_UNINITIALIZED);
  EXPECT_EQ(inner, ZE_RESULT_ERROR_UNINITIALIZED);
}

TEST(Session, tries_anew_after_its_source_threw) {
  int tries = 0;
  auto& session = for_ever<Session>([&](bool) {
    if (++tries == 1) throw Error(ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE, "first time");
    return Found{{}, true};
  });
  EXPECT_THROW(session.init_core(Everything), Error);
  EXPECT_EQ(session.init_core(Everything), ZE_RESULT_SUCCESS);
}

TEST(DriverTypes, of_init_flags) {
  EXPECT_EQ(types_of_init_flags(0), Everything);
  EXPECT_EQ(types_of_init_flags(1), Gpu);
  EXPECT_EQ(types_of_init_flags(2), Npu);
  EXPECT_EQ(types_of_init_flags(3), Everything);
  EXPECT_EQ(types_of_driver_flags(1), Gpu);
  EXPECT_EQ(types_of_driver_flags(2), Npu);
  EXPECT_EQ(types_of_driver_flags(UINT32_MAX), Everything);
  EXPECT_EQ(types_of_driver_flags(0x10), 0u);
}

TEST(DriverOrder, by_index_type_and_both) {
  const std::vector<std::string_view> types{"GPU", "NPU", "GPU", "OTHER"};
  using Order = std::vector<std::size_t>;
  EXPECT_EQ(ordered("", types), (Order{0, 1, 2, 3}));
  EXPECT_EQ(ordered("3,1", types), (Order{3, 1, 0, 2}));
  EXPECT_EQ(ordered("NPU", types), (Order{1, 0, 2, 3}));
  EXPECT_EQ(ordered(" GPU : 1 , NPU:0", types), (Order{2, 1, 0, 3}));
  EXPECT_EQ(ordered("9,NONE,GPU:7,,x:", types), (Order{0, 1, 2, 3})) << "what it cannot read is ignored";
}

TEST(DriverOrder, items_that_mean_nothing_are_told) {
  using Items = std::vector<std::string_view>;
  EXPECT_EQ(meaningless("9,NONE,GPU:7,,x:,GPU:,1", 2), (Items{"9", "NONE", "x:", "GPU:"}));
  EXPECT_EQ(meaningless("1, 0,DISCRETE_GPU_ONLY, INTEGRATED_GPU_ONLY:0 ,NPU,GPU : 1", 2), Items{});
}

} // namespace
