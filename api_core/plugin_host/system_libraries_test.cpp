#include "plugin_host/system_libraries.hpp"

#include <cstdlib>

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace zeroth {
namespace {

TEST(SystemLibraries, never_denies_what_the_loader_finds) {
  SystemLibraries libraries;
  for (const char* name : {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libyaml-cpp.so.0.7", "libdl.so.2"})
    if (void* library = ::dlopen(name, RTLD_LAZY)) {
      EXPECT_TRUE(libraries.may_have(name)) << name;
      ::dlclose(library);
    }
}

TEST(SystemLibraries, knows_what_is_loaded_from_elsewhere) {
  const std::string path = std::string(ZEROTH_TEST_SAMPLES) + "/zeroth_good.so";
  void* library = ::dlopen(path.c_str(), RTLD_NOW);
  ASSERT_NE(library, nullptr);
  EXPECT_TRUE(SystemLibraries().may_have("zeroth_good.so"));
  ::dlclose(library);
}

TEST(SystemLibraries, leaves_it_to_the_loader_when_a_search_path_is_set) {
  ::setenv("LD_LIBRARY_PATH", "/nowhere", 1);
  EXPECT_TRUE(SystemLibraries().may_have("libno_such_thing.so.1"));
  ::unsetenv("LD_LIBRARY_PATH");
}

} // namespace
} // namespace zeroth
