#include "peer.hpp"

#include <filesystem>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace device_tests {

Peer::Peer(const std::vector<std::string>& arguments) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "device_peer";
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  if (posix_spawn(&process_, program.c_str(), nullptr, nullptr, argv.data(), environ) != 0) process_ = -1;
}

int Peer::end() {
  if (process_ < 0) return status_;
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  return status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

} // namespace device_tests
