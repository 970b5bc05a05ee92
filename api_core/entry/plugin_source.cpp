#include <entry/plugin_source.hpp>

#include <cstdlib>
#include <dlfcn.h>
#include <sstream>

#include <entry/core.hpp>
#include <sdk/log.hpp>

namespace zeroth::entry {

registry::Found find_plugins(bool) {
  registry::Found found;
  std::stringstream paths(std::getenv("ZE_ENABLE_ALT_DRIVERS") ? std::getenv("ZE_ENABLE_ALT_DRIVERS") : "");
  for (std::string path; std::getline(paths, path, ',');) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      log(Level::Warning, "{}", dlerror());
      continue;
    }
    registry::FoundDriver driver;
    driver.name = path;
    driver.symbol = [library](const char* name) { return dlsym(library, name); };
    driver.foreign = dlsym(library, ZEROTH_PLUGIN_SYMBOL) == nullptr;
    found.drivers.push_back(std::move(driver));
  }
  return found;
}

registry::Session& session() {
  static registry::Session& only = *new registry::Session(find_plugins);
  return only;
}

} // namespace zeroth::entry
