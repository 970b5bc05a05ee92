// What the suite needs of a runtime under test. One thread. Failures are std::runtime_error with the cause.
#pragma once

#include "suite/cases.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace zeroth::bench {

class Runtime {
public:
  virtual ~Runtime() = default;
  // Device and driver, for the table's heading.
  virtual std::string description() const = 0;
  // Builds the case's kernel, fills its buffers and sets its arguments; drops the case before it. Returns the build
  // time in seconds.
  virtual double prepare(const Case& work) = 0;
  // Submits `launches` launches in order and waits for the last.
  virtual void launch(size_t launches) = 0;
  // Writes the buffers' first contents again.
  virtual void refill() = 0;
  virtual std::vector<std::byte> output() = 0;
};

// `kernels`: folder with <name>.spv. Takes device number `device`, counted over all drivers.
std::unique_ptr<Runtime> open_level_zero(const std::string& kernels, size_t device);
// `kernels`: folder with <name>.cl. Takes the first CPU device of the platform whose name contains `platform`.
std::unique_ptr<Runtime> open_opencl(const std::string& kernels, const std::string& platform);

// Kernels of this program itself: "hand" or "loops" (host_kernels.hpp).
std::unique_ptr<Runtime> open_host(const std::string& which);

std::vector<char> read_file(const std::string& path);

inline double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace zeroth::bench
