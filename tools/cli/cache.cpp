// `zeroth cache stat|clear|verify`: the disk cache of compiled kernels.
#include "cli/bytes_text.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"

#include <kernel_compiler/cache/cache.hpp>
#include <kernel_compiler/client/kernel_compiler.hpp>
#include <kernel_compiler/client/native_format.hpp>

#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace zeroth::cli {
namespace {

using compiler::Cache;

Cache cache_in_force() {
  if (Cache::default_folder().empty())
    throw Failure("there is no cache: ZEROTH_CACHE_DIR, XDG_CACHE_HOME and HOME name no folder that exists");
  return Cache(Cache::default_folder(), compiler::CompilerOptions().cache_limit_bytes);
}

// The folder, or the one that it would be made in.
bool can_be_written(std::filesystem::path folder) {
  std::error_code error;
  while (!std::filesystem::exists(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  return access(folder.c_str(), W_OK) == 0 && std::filesystem::is_directory(folder, error);
}

Json report_of(const Cache& cache) {
  const Cache::Statistics s = cache.statistics();
  return {{"folder", cache.folder()},
          {"in use", !Cache::switched_off()},
          {"can be written", can_be_written(cache.folder())},
          {"entries", s.entries},
          {"bytes", s.bytes},
          {"limit", s.limit}};
}

void show(bool json) {
  const Json report = report_of(cache_in_force());
  if (json) return fmt::print("{}\n", report.dump(2));
  Json words = report;
  words["bytes"] = bytes_text(report["bytes"]);
  words["limit"] = bytes_text(report["limit"]);
  Console().tree(words);
}

void clear() {
  const Cache cache = cache_in_force();
  const uint64_t entries = cache.statistics().entries;
  cache.clear();
  fmt::print("{}: {} entries removed\n", cache.folder(), entries);
}

int verify() {
  const Cache cache = cache_in_force();
  const uint64_t entries = cache.statistics().entries;
  const uint64_t removed = cache.verify([](std::span<const std::byte> file) { return compiler::is_undamaged(file); });
  fmt::print("{}: {} entries, {} damaged and removed\n", cache.folder(), entries, removed);
  return removed ? 1 : 0;
}

} // namespace

void add_cache_command(CLI::App& app, int& exit_status) {
  CLI::App* command = app.add_subcommand("cache", "Look at the cache of compiled kernels");
  command->require_subcommand(1);
  auto json = std::make_shared<bool>(false);
  CLI::App* stat = command->add_subcommand("stat", "Where it is and how full");
  stat->add_flag("--json", *json, "As JSON");
  stat->callback([json] { show(*json); });
  command->add_subcommand("clear", "Remove every entry")->callback(clear);
  CLI::App* check = command->add_subcommand("verify", "Check every entry and remove the damaged ones");
  check->footer("Exit status: 0 when all were sound, 1 when some were removed.");
  check->callback([&exit_status] { exit_status = verify(); });
  command->footer("The folder: ZEROTH_CACHE_DIR, else XDG_CACHE_HOME/zeroth, else ~/.cache/zeroth.\n"
                  "ZEROTH_CACHE=0 switches the cache off.");
}

} // namespace zeroth::cli
