// The kernel cases that every runtime is timed on: which kernel, over which range, with which data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace zeroth::bench {

enum class Fill { Zero, Float, Half, Double, Integer, ControlFlow, RowStart, Multiples, Letters, Tiles };

// A buffer argument. Float, Half and Double are uniform in [low, high); Integer is uniform in [0, high); RowStart adds
// up integers in [0, high); Multiples are those of `high`; Letters are four letters; Tiles are symmetric positive
// definite matrices of `high` rows.
struct Buffer {
  Fill fill = Fill::Zero;
  size_t count = 0;
  size_t element_size = 4;
  double low = 0, high = 1;
  size_t bytes() const { return count * element_size; }
};

struct Local {
  size_t bytes;
};

// A 2D image of four normalised bytes a texel, as wide as high: random, or all zero.
struct Picture {
  size_t side = 0;
  bool random = false;
  size_t bytes() const { return side * side * 4; }
};

// Coordinates count texels, and end at the edge.
struct Sampling {
  bool linear;
};

using Argument = std::variant<Buffer, Local, Picture, Sampling, float, double, int32_t, uint32_t>;

enum class Output { Float, Half, Double, Integer, Bytes };

struct Case {
  std::string name;
  std::string kernel; // also the stem of its file
  std::array<size_t, 2> global{1, 1};
  std::array<size_t, 2> local{1, 1};
  std::vector<Argument> arguments;
  size_t output = 0; // index of the argument to compare
  Output output_type = Output::Float;
  double work = 0; // in `unit` per second: work / seconds
  std::string unit;
};

const std::vector<Case>& all_cases();
void add_user_cases(std::vector<Case>& cases); // part of all_cases

// Deterministic contents.
std::vector<std::byte> contents(const Buffer& buffer);
std::vector<std::byte> contents(const Picture& picture);
// Sum of absolute values: what runtimes must agree on.
double checksum(const std::vector<std::byte>& bytes, Output type);

} // namespace zeroth::bench
