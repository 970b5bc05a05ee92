#include "plugin_host/library.hpp"

#include <cstdlib>

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace zeroth {
namespace {

const std::string good = std::string(ZEROTH_TEST_SAMPLES) + "/zeroth_good.so";

std::shared_ptr<Library> load(const std::string& file, bool private_copy = false) {
  Library::Failure failure;
  auto library = Library::load(file, private_copy, failure);
  EXPECT_NE(library, nullptr) << failure.reason;
  return library;
}

bool is_mapped(const std::string& file) {
  void* handle = ::dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle) ::dlclose(handle);
  return handle != nullptr;
}

TEST(Library, is_unloaded_when_the_last_user_goes) {
  auto first = load(good);
  auto second = first;
  first.reset();
  EXPECT_TRUE(is_mapped(good));
  second.reset();
  EXPECT_FALSE(is_mapped(good));
}

TEST(Library, private_copies_have_globals_of_their_own) {
  const auto original = load(good);
  const auto copy = load(good, true), other = load(good, true);
  void* const symbols[] = {original->symbol("sample_threads"), copy->symbol("sample_threads"),
                           other->symbol("sample_threads")};
  EXPECT_NE(symbols[0], nullptr);
  EXPECT_NE(symbols[0], symbols[1]);
  EXPECT_NE(symbols[0], symbols[2]);
  EXPECT_NE(symbols[1], symbols[2]);
  EXPECT_EQ(copy->path(), good);
}

TEST(Library, a_name_is_found_by_the_system) {
  const auto library = load("libm.so.6");
  EXPECT_NE(library->symbol("cos"), nullptr);
  EXPECT_EQ(library->symbol("no_such_function"), nullptr);
  EXPECT_TRUE(library->path().starts_with("/")) << library->path();
}

TEST(Library, says_why_it_cannot_be_loaded) {
  Library::Failure failure;
  EXPECT_EQ(Library::load("libno_such_thing.so.1", false, failure), nullptr);
  EXPECT_EQ(failure.fault, PluginFault::NotFound);
  EXPECT_EQ(Library::load(std::string(ZEROTH_TEST_SAMPLES) + "/zeroth_needs_library.so", false, failure), nullptr);
  EXPECT_EQ(failure.fault, PluginFault::DependencyMissing) << failure.reason;
  EXPECT_NE(failure.reason.find("libzeroth_test_gone.so"), std::string::npos) << failure.reason;
  EXPECT_EQ(Library::load(std::string(ZEROTH_TEST_SAMPLES) + "/zeroth_undefined.so", false, failure), nullptr);
  EXPECT_EQ(failure.fault, PluginFault::SymbolMissing) << failure.reason;
  EXPECT_NE(failure.reason.find("zeroth_test_symbol_that_nobody_has"), std::string::npos) << failure.reason;
}

} // namespace
} // namespace zeroth
