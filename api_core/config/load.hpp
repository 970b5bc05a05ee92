// Finding and reading the configuration.
//
// Order: $ZEROTH_CONFIG, the user's folder, /etc/zeroth/config.yaml, the embedded default; the first that exists
// counts, and what it does not say comes from the embedded default. A privileged process (AT_SECURE) ignores the first
// two, and refuses a system file that others may write. ZEROTH_CONFIG=default asks for the embedded default.
//
// Errors: a wrong file is replaced by the embedded default as a whole, and Config::problems says why. If the wrong file
// says `strict: true`, ConfigError is thrown instead.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "config/yaml.hpp"

namespace zeroth {

// What loading depends on, apart from the files; tests build their own.
struct LoadRequest {
  std::string environment_file;     // ZEROTH_CONFIG
  std::string user_file;            // …/zeroth/config.yaml in the user's configuration folder
  std::string system_file;          // /etc/zeroth/config.yaml
  std::string log_level;            // ZEROTH_LOG
  std::vector<std::string> program; // names that profiles may match: file name of the executable, then argv[0]'s
  bool privileged = false;

  static LoadRequest of_process();
};

Config load_config(const LoadRequest& request);

// Problems of a text, all of them, in file order; empty when it is right. For `zeroth config check` and tests.
std::vector<std::string> check_config(std::string_view text, const std::string& source);

// The same for a file; that it cannot be read, is no regular file or is too large is a problem like others.
std::vector<std::string> check_config_file(const std::string& path);

// The configuration that `text` gives on top of the embedded default; throws ConfigError with all problems.
Config read_config(std::string_view text, const std::string& source, const std::vector<std::string>& program);

} // namespace zeroth
