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
#include <unistd.h>

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

// The one that the user wants, whatever else there is; null when none is named.
const char* named_compiler() {
  const char* named = std::getenv("ZEROTH_CLANG");
  return named && *named ? named : nullptr;
}

// Those that can write SPIR-V without another program's help, newest first.
std::vector<std::string> compilers() {
  if (const char* named = named_compiler()) return {named};
  return {"clang-23", "clang-22", "clang-21", "clang-20", "clang"};
}

bool installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct Sources {
  fs::path file, folder;
  std::vector<std::string> flags;

  fs::path module() const { return folder / "module.spv"; }
  fs::path bitcode() const { return folder / "module.bc"; }
  fs::path errors() const { return folder / "errors"; }
};

using Step = std::vector<std::string>;

// The steps from source to SPIR-V, by a clang whose own SPIR-V target does it all. Its reduction of loops' strength
// counts in integers of 2 or 3 bits, whose masks its SPIR-V back end loses (LLVM 22): wrong code. The optimising is
// ours anyway.
std::vector<Step> in_one_step(const Sources& sources, const std::string& clang) {
  Step step{clang, "--target=spirv64", "-x", "cl", "-cl-std=CL3.0", "-O1", "-mllvm", "-disable-lsr"};
  if (clang == "clang-20" || clang == "clang-21")
    step.emplace_back("-fintegrated-objemitter"); // else they ask for a translator
  step.insert(step.end(), sources.flags.begin(), sources.flags.end());
  step.insert(step.end(), {"-c", sources.file.string(), "-o", sources.module().string()});
  return {step};
}

// The same with the Khronos translator, which knows lines where clang's target has none.
std::vector<Step> by_translator(const Sources& sources, const std::string& version) {
  Step step{"clang-" + version,   "--target=spir64", "-x", "cl", "-cl-std=CL3.0", "-O1",
            "-gline-tables-only", "-emit-llvm"};
  step.insert(step.end(), sources.flags.begin(), sources.flags.end());
  step.insert(step.end(), {"-c", sources.file.string(), "-o", sources.bitcode().string()});
  return {step,
          {"llvm-spirv-" + version, "--spirv-ext=+all", sources.bitcode().string(), "-o", sources.module().string()}};
}

// The compiler's words; an older one asks for a translator, which says little to who wants to know what to install.
std::string refusal(const Sources& sources, const std::string& compiler) {
  const std::string words = text_of(sources.errors());
  const bool old = words.find("llvm-spirv") != std::string::npos;
  return fmt::format("{} does not compile:\n{}{}", sources.file.string(), words,
                     old ? fmt::format("{} cannot write SPIR-V by itself; clang 20 or newer can", compiler) : "");
}

// False when a program of it is not installed; throws Failure with its words when one fails.
bool run_steps(const Sources& sources, const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    const std::optional<int> status = run_program(step, sources.errors());
    if (!status || *status == 127) return false;
    if (*status != 0) throw Failure(refusal(sources, step.front()));
    std::fputs(text_of(sources.errors()).c_str(), stderr); // warnings
  }
  return true;
}

std::vector<std::byte> compile_opencl(const fs::path& file, const std::string& flags, Lines lines) {
  const TemporaryFolder folder;
  Sources sources{file, folder.path(), {}};
  std::istringstream words(flags);
  for (std::string word; words >> word;) sources.flags.push_back(word);
  if (lines == Lines::Wanted && !named_compiler())
    for (const char* version : {"22", "21", "20", "19", "18", "17", "16", "15", "14"}) {
      if (!installed(std::string("llvm-spirv-") + version)) continue;
      if (run_steps(sources, by_translator(sources, version))) return read_buffer(sources.module(), ElementType::U8);
    }
  for (const std::string& compiler : compilers())
    if (run_steps(sources, in_one_step(sources, compiler))) return read_buffer(sources.module(), ElementType::U8);
  throw Failure(fmt::format("{}: OpenCL C needs clang 20 or newer, and {} {} installed (name one in ZEROTH_CLANG)",
                            file.string(), fmt::join(compilers(), ", "),
                            compilers().size() == 1 ? "is not" : "are not"));
}

} // namespace

Lines lines_for(const std::string& build_flags) {
  std::istringstream words(build_flags);
  for (std::string word; words >> word;)
    if (word == "-g") return Lines::Wanted;
  return Lines::Unwanted;
}

std::vector<std::byte> read_module(const fs::path& file, const std::string& opencl_flags, Lines lines) {
  if (file.extension() == ".cl") return compile_opencl(file, opencl_flags, lines);
  return read_buffer(file, ElementType::U8);
}

} // namespace zeroth::cli
