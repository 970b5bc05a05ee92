// The test kernels with inputs: what every form of every kernel is tried on, here and on other machines.
#pragma once

#include "../codegen.hpp"
#include "test_device.hpp"

#include <functional>
#include <random>
#include <vector>

namespace zeroth::codegen::testing {

// Buffers of one run, by name; arguments refer to them.
struct Buffers {
  std::vector<std::vector<float>> floats;
  std::vector<std::vector<double>> doubles;
  std::vector<std::vector<int>> ints;
};

struct KernelCase {
  const char* file;
  const char* kernel;
  Launch launch;
  std::function<void(std::mt19937&, Buffers&)> fill;
  std::function<Arguments(Buffers&, const KernelCode&)> arguments;
  float tolerance = 0;
};

const std::vector<KernelCase>& kernel_cases();

} // namespace zeroth::codegen::testing
