// Runs random programs in several forms of compiled code and compares each with the interpreter.
#pragma once

#include "generate.hpp"
#include "in_process.hpp"

namespace zeroth::random_programs {

struct Disagreement {
  uint64_t seed;
  std::string form;
  std::string what; // the first word that is wrong, or why there is no code
};

struct CheckOptions {
  uint64_t first = 1;
  uint32_t count = 1;
  bool all_forms = false; // otherwise the one that programs get, and one of the others in turn
  bool verify = false;    // LLVM's verifier after each pass of ours
  Features features;
  Tamper tamper;
};

// Seeds first … first + count - 1, in one shared object.
std::vector<Disagreement> check_batch(const CheckOptions& options);

// Why a program is wrong in this form; empty when it is right.
std::string check_program(const Program& program, const Form& form);

// The forms that a seed is run in.
std::vector<Form> forms_of(uint64_t seed, bool all);

} // namespace zeroth::random_programs
