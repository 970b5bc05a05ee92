#include "config/trust.hpp"

#include <climits>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

namespace zeroth {
namespace {

std::string reason_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return fmt::format("{} cannot be inspected", path);
  if (status.st_uid != 0 && status.st_uid != ::geteuid())
    return fmt::format("{} belongs to user {}", path, status.st_uid);
  if (status.st_mode & (S_IWGRP | S_IWOTH)) return fmt::format("{} may be written by others", path);
  return {};
}

} // namespace

bool process_is_privileged() noexcept { return ::getauxval(AT_SECURE) != 0; }

std::string untrusted_reason(const std::string& path) {
  char resolved[PATH_MAX];
  if (!::realpath(path.c_str(), resolved)) return fmt::format("{} cannot be resolved", path);
  std::string at = resolved;
  while (true) {
    if (std::string reason = reason_of(at); !reason.empty()) return reason;
    if (at == "/") return {};
    const auto slash = at.rfind('/');
    at = slash == 0 ? "/" : at.substr(0, slash);
  }
}

} // namespace zeroth
