// The one exception of the reader: what is wrong with a module, and where. It never leaves read_spirv() and inspect(),
// which turn it into a log line.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace zeroth::spirv {

class ReadError : public std::runtime_error {
public:
  explicit ReadError(const std::string& text) : std::runtime_error(text) {}
  ~ReadError() override; // in error.cpp: one home for the run-time type, which files next to LLVM are compiled without
  ReadError(const std::string& text, const char* op_name, uint32_t word_offset)
      : std::runtime_error(text + " (Op" + op_name + " at word " + std::to_string(word_offset) + ")") {}
};

} // namespace zeroth::spirv
