#include "cli/opencl_source.hpp"

#include "cli/commands.hpp"
#include "cli/run_buffer.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>

namespace zeroth::cli {
namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "zeroth-XXXXXX").string();
    if (!mkdtemp(name.data())) throw Failure(fmt::format("no temporary folder: {}", std::strerror(errno)));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

// Runs a program with its error output into a file. Empty: there is no such program.
std::optional<int> run_program(const std::vector<std::string>& words, const fs::path& errors) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 2, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t process = 0;
  const int started = posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (started != 0) return std::nullopt;
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

// Those that can write SPIR-V without another program's help, newest first.
std::vector<std::string> compilers() {
  if (const char* named = std::getenv("ZEROTH_CLANG"); named && *named) return {named};
  return {"clang-22", "clang-21", "clang-20", "clang-19", "clang"};
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::byte> compile_opencl(const fs::path& file, const std::string& flags) {
  const TemporaryFolder folder;
  const fs::path output = folder.path() / "module.spv", errors = folder.path() / "errors";
  for (const std::string& compiler : compilers()) {
    std::vector<std::string> words{compiler, "--target=spirv64", "-x", "cl", "-cl-std=CL3.0", "-O2"};
    std::istringstream more(flags);
    for (std::string word; more >> word;) words.push_back(word);
    for (const std::string& word : {std::string("-c"), file.string(), std::string("-o"), output.string()})
      words.push_back(word);
    const std::optional<int> status = run_program(words, errors);
    if (!status) continue;
    if (*status != 0) throw Failure(fmt::format("{} does not compile:\n{}", file.string(), text_of(errors)));
    std::fputs(text_of(errors).c_str(), stderr); // warnings
    return read_buffer(output, ElementType::U8);
  }
  throw Failure(
      fmt::format("{}: OpenCL C needs clang 19 or newer, and none of {} is installed (or name it in ZEROTH_CLANG)",
                  file.string(), fmt::join(compilers(), ", ")));
}

} // namespace

std::vector<std::byte> read_module(const fs::path& file, const std::string& opencl_flags) {
  if (file.extension() == ".cl") return compile_opencl(file, opencl_flags);
  return read_buffer(file, ElementType::U8);
}

} // namespace zeroth::cli
