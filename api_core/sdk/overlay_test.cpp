#include "overlay.hpp"

#include <cstring>

#include <gtest/gtest.h>
#include <zeroth/api/tables.hpp>

#include "options.hpp"
#include "plugin.hpp"

namespace zeroth {
namespace {

using Lists = ze_command_list_dditable_t;
constexpr auto table = &ze_dditable_driver_t::CommandList;

// A driver's tables with an overlay's above them, composed as the core does it.
struct Composed {
  struct Block {
    const zeroth_composition* composition;
    DispatchTables tables;
  };
  Block low{nullptr, {}}, high{nullptr, {}};
  ze_handle_t below = prefix(low), above = prefix(high);
  const ze_handle_t* by_number[3] = {nullptr, nullptr, &below};
  zeroth_composition composition{sizeof(zeroth_composition), 3, by_number};
  zeroth_host host{};

  static ze_handle_t prefix(Block& block) {
    DispatchTables& t = block.tables;
    connect(t);
    return {&t.core_container, &t.tools_container, &t.sysman_container, &t.runtime_container};
  }
  Composed() {
    high.composition = &composition;
    host.struct_size = sizeof host;
    host.overlay_number = 2;
    overlay::start(&host);
  }
  zeroth_overlay_target target() {
    zeroth_overlay_target target{};
    target.below = &below;
    target.above = &above;
    return target;
  }
  // An object whose handles the overlay sees.
  ze_command_list_handle_t list() { return reinterpret_cast<ze_command_list_handle_t>(&above); }
};

int closed = 0, seen = 0;
ze_result_t ZE_APICALL close(ze_command_list_handle_t) { return ++closed, ZE_RESULT_NOT_READY; }

TEST(Overlay, a_hook_runs_before_the_function_goes_on_and_its_result_is_kept) {
  Composed composed;
  overlay::slot<table, &Lists::pfnClose>(composed.below) = close;
  overlay::before<table, &Lists::pfnClose, [](ze_command_list_handle_t) { ++seen; }>(composed.target());
  closed = seen = 0;
  EXPECT_EQ(composed.above.pCore->CommandList->pfnClose(composed.list()), ZE_RESULT_NOT_READY);
  EXPECT_EQ(closed, 1);
  EXPECT_EQ(seen, 1);
  EXPECT_EQ((overlay::below<table, &Lists::pfnClose>(composed.list())), close);
}

TEST(Overlay, a_hook_that_throws_ends_the_call_with_its_code_and_text) {
  Composed composed;
  overlay::slot<table, &Lists::pfnClose>(composed.below) = close;
  constexpr auto refuse = [](ze_command_list_handle_t) { throw Error(ZE_RESULT_ERROR_NOT_AVAILABLE, "not now"); };
  overlay::before<table, &Lists::pfnClose, refuse>(composed.target());
  closed = 0;
  EXPECT_EQ(composed.above.pCore->CommandList->pfnClose(composed.list()), ZE_RESULT_ERROR_NOT_AVAILABLE);
  EXPECT_STREQ(last_error::text(), "not now");
  EXPECT_EQ(closed, 0);
}

// A host with one option; keeps what is reported.
std::string reported;
const char* option_value = nullptr;
zeroth_host host_with(const char* value) {
  option_value = value;
  zeroth_host host{};
  host.option = [](const zeroth_host*, const char* key) { return std::strcmp(key, "x") == 0 ? option_value : nullptr; };
  host.report = [](const zeroth_host*, const char* reason, const char*) { reported = reason; };
  return host;
}

TEST(PluginOptions, have_their_defaults_without_a_host_and_where_not_set) {
  const zeroth_host host = host_with("1");
  for (const zeroth_host* with : {static_cast<const zeroth_host*>(nullptr), &host}) {
    const Options options(with);
    EXPECT_FALSE(options.has("y"));
    EXPECT_EQ(options.integer("y", 4), 4);
    EXPECT_TRUE(options.boolean("y", true));
    EXPECT_EQ(options.bytes("y", 9), 9u);
    EXPECT_EQ(options.text("y", "z"), "z");
  }
}

TEST(PluginOptions, read_sizes_with_units) {
  const auto bytes = [](const char* value) {
    const zeroth_host host = host_with(value);
    return Options(&host).bytes("x", 0);
  };
  EXPECT_EQ(bytes("4096"), 4096u);
  EXPECT_EQ(bytes("64 MiB"), 64u << 20);
  EXPECT_EQ(bytes("2GiB"), 2ull << 30);
  EXPECT_EQ(bytes("3 B"), 3u);
  for (const char* wrong : {"", "MiB", "-1", "1 MB", "1.5 GiB", "99999999999 TiB", "1 KiBs"})
    EXPECT_THROW(bytes(wrong), Error) << wrong;
}

TEST(PluginOptions, of_the_wrong_type_are_errors_that_name_the_option) {
  const zeroth_host host = host_with("many");
  EXPECT_THROW(Options(&host).boolean("x", false), Error);
  try {
    Options(&host).integer("x", 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.text, "option `x`: `many` is not an integer");
  }
}

void start(const zeroth_host* host) { Options(host).integer("x", 0); }

TEST(Plugin, what_start_throws_is_the_reason_that_the_host_shows) {
  const zeroth_host wrong = host_with("many");
  EXPECT_EQ(starting<start>(&wrong), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(reported, "option `x`: `many` is not an integer");
  const zeroth_host right = host_with("5");
  EXPECT_EQ(starting<start>(&right), ZE_RESULT_SUCCESS);
  set_log_sink(nullptr);
}

TEST(Plugin, descriptors_are_constant_data) {
  static constexpr zeroth_option options[] = {{"a", "integer", "", ""}};
  static constexpr zeroth_plugin plugin = overlay_plugin({.name = "n", .version = "1", .options = options});
  EXPECT_EQ(plugin.struct_size, sizeof(zeroth_plugin));
  EXPECT_EQ(plugin.kind, ZEROTH_PLUGIN_OVERLAY);
  EXPECT_EQ(plugin.option_count, 1u);
}

} // namespace
} // namespace zeroth
