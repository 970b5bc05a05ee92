// The plain meaning of a program: work-items in lockstep, one statement at a time, no LLVM, no vectors, no fibers.
// It shares nothing with the compiler but the tree, so that the two can disagree.
#pragma once

#include "program.hpp"

#include <stdexcept>

namespace zeroth::random_programs {

struct Buffers {
  std::vector<uint32_t> input;    // InputWords
  std::vector<uint32_t> output;   // items * slots
  std::vector<uint32_t> counters; // CounterWords
};

// Buffers as every run of the program starts with them.
Buffers initial_buffers(const Program& program);

// The program broke a rule of its own (a barrier that not all reach, a race in local memory): the generator is wrong.
class IllegalProgram : public std::logic_error {
public:
  using std::logic_error::logic_error;
};

// Runs all groups. `sub_group_size`: consecutive work-items (by local linear id) that form a sub-group.
void interpret(const Program& program, uint32_t sub_group_size, Buffers& buffers);

} // namespace zeroth::random_programs
