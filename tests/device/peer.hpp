// The other process of the tests that need two: this program once more, as another one (see peer.cpp).
#pragma once
#include <string>
#include <sys/types.h>
#include <vector>

namespace device_tests {

// Bytes of an IPC handle as a program argument, and back.
template <class Handle> std::string as_text(const Handle& handle) {
  std::string text;
  for (const char c : handle.data) {
    text += static_cast<char>('a' + (static_cast<unsigned char>(c) >> 4));
    text += static_cast<char>('a' + (c & 15));
  }
  return text;
}
template <class Handle> Handle from_text(const std::string& text) {
  Handle handle;
  for (std::size_t i = 0; i < sizeof handle.data; ++i)
    handle.data[i] = static_cast<char>((text[2 * i] - 'a') << 4 | (text[2 * i + 1] - 'a'));
  return handle;
}

class Peer {
public:
  // Starts `peer arguments…`; descriptors that are not close-on-exec go along. `environment`: "NAME=value", set on top.
  explicit Peer(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});
  ~Peer() { end(); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // Waits for its end and gives its exit status: 0 for success, the number of the step that failed otherwise.
  int end();
  // What it wrote to its standard output.
  const std::string& output() const { return output_; }

private:
  std::string output_;
  int pipe_ = -1;
  pid_t process_ = -1;
  int status_ = -1;
};

// Descriptors that this process has open.
std::size_t open_descriptors();

} // namespace device_tests
