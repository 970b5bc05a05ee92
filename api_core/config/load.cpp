#include "config/load.hpp"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/literal.hpp"
#include "config/nearest.hpp"
#include "config/read.hpp"
#include "config/rules.hpp"
#include "config/trust.hpp"

namespace zeroth {
namespace {

constexpr const char* default_name = "built-in default";

std::shared_ptr<const std::string> source_name(const std::string& name) {
  return std::make_shared<const std::string>(name);
}

std::string folder_of(const std::string& file) {
  const auto slash = file.rfind('/');
  return slash == std::string::npos || slash == 0 ? "/" : file.substr(0, slash);
}

struct ReadFile {
  std::optional<std::string> text;
  int error = 0; // errno where there is no text
};

ReadFile read_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return {{}, errno};
  struct stat status {};
  int error = ::fstat(file, &status) != 0 ? errno
              : !S_ISREG(status.st_mode)  ? (S_ISDIR(status.st_mode) ? EISDIR : EINVAL)
                                          : 0;
  std::string text;
  char buffer[8192];
  while (!error && text.size() <= YamlLimits{}.bytes) { // a byte more than allowed is enough to refuse it
    const ssize_t size = ::read(file, buffer, sizeof buffer);
    if (size == 0) break;
    if (size < 0 && errno != EINTR) error = errno;
    if (size > 0) text.append(buffer, static_cast<std::size_t>(size));
  }
  ::close(file);
  if (error) return {{}, error};
  return {std::move(text), 0};
}

std::string unreadable(const std::string& path, int error) {
  const char* reason = error == EINVAL ? "not a regular file" : std::strerror(error);
  return fmt::format("{}: cannot be read: {}", path, reason);
}

Config default_config() {
  Config config;
  config.source = default_name;
  const auto source = source_name(default_name);
  config.plugin_path.origin = config.log.file.origin = {source, 0, 0};
  apply_tree(config, tree_of(embedded_default_tree, source), {}, {});
  return config;
}

std::string problem_text(const Origin& where, const std::string& message) { return where.text() + ": " + message; }

std::vector<std::string> problems_of(const Tree& root) {
  std::vector<std::string> problems;
  const Problems note = [&](const Origin& where, const std::string& message) {
    problems.push_back(problem_text(where, message));
  };
  if (root.type != Type::Map && root.type != Type::Null) note(root.origin, "a configuration is a map of keys");
  check_map(root, config_rules(), note);
  if (problems.empty()) check_required(root, note);
  return problems;
}

struct Parsed {
  Config config;
  std::vector<std::string> problems;
  bool strict = false; // what the text says, even if it is wrong elsewhere
};

// A text that is no YAML still says strict where it has the line.
bool says_strict(std::string_view text) {
  return text.starts_with("strict: true") || text.find("\nstrict: true") != std::string_view::npos;
}

Parsed parse(std::string_view text, const std::string& source, const std::vector<std::string>& program) {
  Parsed parsed;
  try {
    const Tree root = parse_yaml(text, source_name(source));
    const Tree* strict = root.find("strict");
    parsed.strict = strict && strict->type == Type::Boolean && (strict->text[0] == 't' || strict->text[0] == 'T');
    parsed.problems = problems_of(root);
    if (!parsed.problems.empty()) return parsed;
    parsed.config = default_config();
    parsed.config.source = source;
    apply_tree(parsed.config, root, source.starts_with('/') ? folder_of(source) : std::string(), program);
    resolve(parsed.config, [&](const Origin& where, const std::string& message) {
      parsed.problems.push_back(problem_text(where, message));
    });
  } catch (const ConfigError& error) {
    parsed.strict = says_strict(text);
    parsed.problems.push_back(error.what());
  }
  return parsed;
}

Config finished_default() {
  Config config = default_config();
  resolve(config, [](const Origin&, const std::string&) {});
  return config;
}

// One place that is looked at.
struct Candidate {
  std::string path;
  std::string why;          // "ZEROTH_CONFIG", "the user's folder", "the system's folder"
  bool must_exist = false;  // the user named it
  bool needs_trust = false; // a privileged process reads it
};

std::vector<Candidate> candidates_of(const LoadRequest& request, std::vector<std::string>& searched) {
  std::vector<Candidate> list;
  const auto add = [&](const std::string& path, const char* why, bool must_exist, bool from_user) {
    if (path.empty()) return;
    if (from_user && request.privileged)
      searched.push_back(fmt::format("{} ({}): ignored, the process is privileged", path, why));
    else
      list.push_back({path, why, must_exist, request.privileged});
  };
  add(request.environment_file, "ZEROTH_CONFIG", true, true);
  add(request.user_file, "the user's folder", false, true);
  add(request.system_file, "the system's folder", false, false);
  return list;
}

// The file's text when it is there and may be used; a reason in `problem` when it should have been.
std::optional<std::string> text_of(Candidate& candidate, std::string& problem, bool& absent) {
  char resolved[PATH_MAX];
  absent = false;
  if (candidate.needs_trust && ::realpath(candidate.path.c_str(), resolved)) {
    candidate.path = resolved;
    if (std::string reason = untrusted_reason(candidate.path); !reason.empty()) {
      problem = fmt::format("{}: refused in a privileged process: {}", candidate.path, reason);
      return std::nullopt;
    }
  }
  ReadFile file = read_file(candidate.path);
  absent = file.error == ENOENT || file.error == ENOTDIR;
  if (file.error && !(absent && !candidate.must_exist)) problem = unreadable(candidate.path, file.error);
  return std::move(file.text);
}

std::string absolute_path(const std::string& path) {
  if (path.empty() || path[0] == '/') return path;
  char folder[PATH_MAX];
  return ::getcwd(folder, sizeof folder) ? std::string(folder) + "/" + path : path;
}

const char* environment(const char* name) {
  const char* value = ::secure_getenv(name);
  return value ? value : "";
}

std::string user_config_path() {
  const std::string xdg = environment("XDG_CONFIG_HOME");
  if (xdg.starts_with('/')) return xdg + "/zeroth/config.yaml"; // relative ones are invalid by the XDG rules
  const std::string home = environment("HOME");
  return home.starts_with('/') ? home + "/.config/zeroth/config.yaml" : std::string();
}

std::string executable_name() {
  char path[PATH_MAX];
  const ssize_t size = ::readlink("/proc/self/exe", path, sizeof path);
  const std::string_view file(path, size > 0 ? static_cast<std::size_t>(size) : 0);
  return std::string(file.substr(file.rfind('/') + 1));
}

void override_log_level(Config& config, const std::string& value) {
  if (value.empty()) return;
  if (const auto level = level_from_name(value)) {
    config.log.level = {*level, {source_name("environment variable ZEROTH_LOG"), 0, 0}};
    return;
  }
  std::vector<std::string_view> names{"off", "error", "warning", "info", "debug", "trace"};
  config.problems.push_back(fmt::format("ZEROTH_LOG: `{}` is no log level{}", value, suggestion(value, names)));
}

// Reads the first file that is there; nothing when none is, or when it is wrong and the default must do.
std::optional<Config> first_file(const LoadRequest& request, std::vector<std::string>& searched,
                                 std::vector<std::string>& problems) {
  if (!request.privileged && request.environment_file == "default") {
    searched.push_back("ZEROTH_CONFIG: asks for the built-in default");
    return std::nullopt;
  }
  for (Candidate& candidate : candidates_of(request, searched)) {
    std::string problem;
    bool absent = false;
    const auto text = text_of(candidate, problem, absent);
    const auto note = [&](const char* what) {
      searched.push_back(fmt::format("{} ({}): {}", candidate.path, candidate.why, what));
    };
    if (!text) {
      note(absent ? "not there" : "not used");
      if (problem.empty()) continue;
      problems.push_back(problem);
      return std::nullopt;
    }
    Parsed parsed = parse(*text, candidate.path, request.program);
    note(parsed.problems.empty() ? "in force" : "not used, it is wrong");
    if (parsed.problems.empty()) return std::move(parsed.config);
    problems = std::move(parsed.problems);
    if (parsed.strict)
      throw ConfigError(fmt::format("{} (and the file says `strict: true`)", fmt::join(problems, "\n")));
    return std::nullopt;
  }
  return std::nullopt;
}

} // namespace

LoadRequest LoadRequest::of_process() {
  LoadRequest request;
  request.privileged = process_is_privileged();
  request.environment_file = environment("ZEROTH_CONFIG");
  if (request.environment_file != "default") request.environment_file = absolute_path(request.environment_file);
  request.user_file = user_config_path();
  request.system_file = "/etc/zeroth/config.yaml";
  request.log_level = environment("ZEROTH_LOG");
  request.program = {executable_name(), program_invocation_short_name};
  return request;
}

Config load_config(const LoadRequest& request) {
  std::vector<std::string> searched, problems;
  std::optional<Config> found = first_file(request, searched, problems);
  Config config = found ? std::move(*found) : finished_default();
  config.program = request.program.empty() ? std::string() : request.program.front();
  config.searched = std::move(searched);
  config.problems = std::move(problems);
  override_log_level(config, request.log_level);
  return config;
}

std::vector<std::string> check_config(std::string_view text, const std::string& source) {
  return parse(text, source, {}).problems;
}

std::vector<std::string> check_config_file(const std::string& path) {
  const ReadFile file = read_file(path);
  if (!file.text) return {unreadable(path, file.error)};
  return check_config(*file.text, path);
}

Config read_config(std::string_view text, const std::string& source, const std::vector<std::string>& program) {
  Parsed parsed = parse(text, source, program);
  if (parsed.problems.empty()) return std::move(parsed.config);
  throw ConfigError({source_name(source), 0, 0}, fmt::format("{}", fmt::join(parsed.problems, "\n")));
}

} // namespace zeroth
