#include "in_process.hpp"
#include "worker_link.hpp"

#include <sdk/file_of_code.hpp>

#include <cstdlib>

namespace zeroth::compiler {
namespace {

std::string absolute(const char* path) {
  char* real = realpath(path, nullptr);
  std::string result = real ? real : path;
  std::free(real);
  return result;
}

std::string loaded_from() { return absolute(file_of_code(reinterpret_cast<const void*>(&loaded_from)).c_str()); }

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

} // namespace

std::string find_worker_program(const std::string& library_path) {
  // A privileged process must not run a program that its caller chose.
  if (const char* named = secure_getenv("ZEROTH_KERNELC"); named && *named) return absolute(named);
  const std::string folder = folder_of(library_path.empty() ? loaded_from() : library_path);
  for (const char* relative : {"/../bin", "/../../bin", "/../libexec/zeroth", "/../../libexec/zeroth", "/../../../bin",
                               "/../../../libexec/zeroth", ""}) {
    const std::string path = folder + relative + "/zeroth-kernelc";
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return "";
}

std::string find_compiler_library(const std::string& library_path) {
  if (const char* named = secure_getenv("ZEROTH_KERNELC_LIBRARY"); named && *named) return absolute(named);
  const std::string folder = folder_of(library_path.empty() ? loaded_from() : library_path);
  for (const char* relative : {"/compiler", "", "/../lib/zeroth/compiler", "/../../lib/zeroth/compiler"}) {
    const std::string path = folder + relative + "/zeroth_kernelc.so";
    if (access(path.c_str(), R_OK) == 0) return path;
  }
  return "";
}

} // namespace zeroth::compiler
