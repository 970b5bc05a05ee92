#include "machine.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include <level_zero/ze_api.h>

namespace zeroth::testing {
namespace fs = std::filesystem;
namespace {

std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

Machine::Machine(std::string_view name) {
  std::string folder = (fs::temp_directory_path() / "zeroth-machine-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = folder;
  fs::permissions(folder_, fs::perms(0755));
  fs::create_directories(root());
  if (name.empty()) return;
  const std::string text = content_of(fs::path(SYSMAN_MACHINES) / (std::string(name) + ".tree"));
  if (text.empty()) throw std::runtime_error("no recording of " + std::string(name));
  lay_out(text);
}

Machine::~Machine() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Machine::lay_out(std::string_view text) const {
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::string path = line.substr(0, line.find(' '));
    const std::string rest = line.size() > path.size() ? line.substr(path.size() + 1) : "";
    if (path.ends_with('/')) {
      fs::create_directories(file(path));
    } else if (rest.starts_with("-> ")) {
      fs::create_directories(fs::path(file(path)).parent_path());
      fs::create_symlink(rest.substr(3), file(path));
    } else if (rest == "<<") {
      std::string all;
      for (std::string more; std::getline(lines, more) && more != ".";) all += more + "\n";
      write(path, all);
    } else {
      write(path, (rest.starts_with("= ") ? rest.substr(2) : "") + "\n");
    }
  }
}

void Machine::write(std::string_view absolute, std::string_view text) const {
  fs::create_directories(fs::path(file(absolute)).parent_path());
  std::ofstream(file(absolute)) << text;
}

std::string Machine::read(std::string_view absolute) const {
  std::string text = content_of(file(absolute));
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

void Machine::remove(std::string_view absolute) const { fs::remove_all(file(absolute)); }

void Machine::forbid(std::string_view absolute) const { fs::permissions(file(absolute), fs::perms(0400)); }

void Machine::use(std::string_view options, std::string_view drivers) const {
  const char* instead = std::getenv("SYSMAN_TEST_DRIVERS");
  if (drivers.empty()) drivers = instead ? instead : "[cpu]";
  const fs::path config = folder_ / "zeroth.yaml";
  const bool nvml_named = options.find("nvml") != std::string_view::npos;
  std::ofstream(config) << "drivers: " << drivers << "\noverlays:\n  - plugin: sysman\n    options: {root: \"" << root()
                        << "\"" << (nvml_named ? "" : ", nvml: \"\"") << (options.empty() ? "" : ", ") << options
                        << "}\n";
  ::setenv("ZEROTH_CONFIG", config.c_str(), 1);
  ::unsetenv("ZE_ENABLE_ALT_DRIVERS");
}

zes_driver_handle_t first_driver() {
  EXPECT_EQ(zesInit(0), ZE_RESULT_SUCCESS);
  uint32_t count = 1;
  zes_driver_handle_t driver = nullptr;
  EXPECT_EQ(zesDriverGet(&count, &driver), ZE_RESULT_SUCCESS);
  return driver;
}

zes_device_handle_t first_device() {
  uint32_t count = 1;
  zes_device_handle_t device = nullptr;
  EXPECT_EQ(zesDeviceGet(first_driver(), &count, &device), ZE_RESULT_SUCCESS);
  return device;
}

std::vector<zes_driver_handle_t> sysman_drivers() {
  uint32_t count = 0;
  EXPECT_EQ(zesDriverGet(&count, nullptr), ZE_RESULT_SUCCESS);
  std::vector<zes_driver_handle_t> drivers(count);
  EXPECT_EQ(zesDriverGet(&count, drivers.data()), ZE_RESULT_SUCCESS);
  return drivers;
}

std::vector<zes_device_handle_t> gpus() {
  EXPECT_EQ(zesInit(0), ZE_RESULT_SUCCESS);
  const auto drivers = sysman_drivers();
  EXPECT_EQ(drivers.size(), 2u);
  return all_of(zesDeviceGet, drivers.back());
}

std::string last_error(zes_driver_handle_t driver) {
  const char* text = nullptr;
  EXPECT_EQ(zeDriverGetLastErrorDescription(driver, &text), ZE_RESULT_SUCCESS);
  return text ? text : "";
}

} // namespace zeroth::testing
