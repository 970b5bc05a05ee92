// Kernels written for this machine by hand: what a compiler of kernels is measured against. Two kinds: `hand` has
// explicit vectors, several side by side; `loops` is what g++ -O3 -march=native makes of plain loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace zeroth::bench {

// Arguments as the case gives them: pointers of buffers, values of scalars.
struct HostArguments {
  std::vector<void*> buffers; // by argument; null where the argument is none
  std::vector<double> numbers;
  std::size_t width = 0, height = 0; // global size
  float* f(std::size_t i) const { return static_cast<float*>(buffers[i]); }
  uint32_t* u(std::size_t i) const { return static_cast<uint32_t*>(buffers[i]); }
  uint16_t* h(std::size_t i) const { return static_cast<uint16_t*>(buffers[i]); }
  float number(std::size_t i) const { return float(numbers[i]); }
};

// Does pieces [first, end) of `pieces` of the whole.
struct HostKernel {
  std::size_t (*pieces)(const HostArguments&);
  void (*run)(const HostArguments&, std::size_t first, std::size_t end);
};

// Null where there is none.
const HostKernel* find_hand_kernel(const std::string& kernel);
const HostKernel* find_loop_kernel(const std::string& kernel);

} // namespace zeroth::bench
