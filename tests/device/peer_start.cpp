#include "peer.hpp"

#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace device_tests {

Peer::Peer(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "device_peer";
  std::vector<char*> argv{const_cast<char*>(program.c_str())}, variables;
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  for (const auto& variable : environment) variables.push_back(const_cast<char*>(variable.c_str()));
  for (char** variable = environ; *variable; ++variable) variables.push_back(*variable);
  variables.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  if (posix_spawn(&process_, program.c_str(), &actions, nullptr, argv.data(), variables.data()) != 0) process_ = -1;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  pipe_ = ends[0];
}

int Peer::end() {
  if (process_ < 0) return status_;
  char part[4096];
  for (ssize_t size; (size = read(pipe_, part, sizeof part)) > 0;) output_.append(part, static_cast<std::size_t>(size));
  close(pipe_);
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
