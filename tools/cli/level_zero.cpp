#include "cli/level_zero.hpp"

#include <fmt/format.h>
#include <zeroth/api/printers.hpp>

#include <dlfcn.h>
#include <string_view>

namespace zeroth::cli {
namespace {

// The runtime's own words on the failure of `function`: "" where it has none, or where they are of another call. Asked
// by name, since other makers' loaders may be older than the function.
std::string last_words(std::string_view function) {
  const auto ask = reinterpret_cast<ze_result_t (*)(const char**)>(dlsym(RTLD_DEFAULT, "zerGetLastErrorDescription"));
  const char* words = nullptr;
  if (!ask || ask(&words) != ZE_RESULT_SUCCESS || !words) return {};
  std::string_view text = words;
  if (!text.starts_with(function)) return {};
  text.remove_prefix(function.size());
  return std::string(text);
}

} // namespace

void check(ze_result_t result, const char* call) {
  if (result == ZE_RESULT_SUCCESS) return;
  const std::string_view text = call, function = text.substr(0, text.find('('));
  throw Failure(fmt::format("{} failed: {}{}", function, result_name(result), last_words(function)));
}

std::vector<DriverEntry> enumerate_drivers() {
  const ze_result_t initialised = zeInit(0);
  if (initialised == ZE_RESULT_ERROR_UNINITIALIZED) return {};
  check(initialised, "zeInit");
  std::vector<DriverEntry> drivers;
  for (ze_driver_handle_t driver : ask_list<ze_driver_handle_t>(zeDriverGet, "zeDriverGet")) {
    const auto devices = [&](uint32_t* count, ze_device_handle_t* items) { return zeDeviceGet(driver, count, items); };
    drivers.push_back({driver, ask_list<ze_device_handle_t>(devices, "zeDeviceGet")});
  }
  return drivers;
}

std::string build_log_text(ze_module_build_log_handle_t log) {
  size_t size = 0;
  if (!log || zeModuleBuildLogGetString(log, &size, nullptr) != ZE_RESULT_SUCCESS || size <= 1)
    return "the build log is empty";
  std::string text(size, '\0');
  ZEROTH_CHECK(zeModuleBuildLogGetString(log, &size, text.data()));
  return text.substr(0, text.find('\0'));
}

std::string uuid_text(const uint8_t (&id)[16]) {
  std::string text;
  for (size_t i = 0; i < 16; ++i)
    text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", id[i]);
  return text;
}

std::string version_text(uint32_t version) {
  return fmt::format("{}.{}", ZE_MAJOR_VERSION(version), ZE_MINOR_VERSION(version));
}

} // namespace zeroth::cli
