// Every form of the compiled code means what the plain interpreter means.
// ZEROTH_RANDOM_PROGRAMS: how many programs (default 25); ZEROTH_RANDOM_SEED: the first seed (default 1).
#include "emit_spirv.hpp"
#include "generate.hpp"
#include "interpret.hpp"
#include "run_kernel.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace zeroth::random_programs {
namespace {

struct Form {
  const char* name;
  uint32_t width;
  const char* engine;
};

constexpr Form Forms[] = {{"chosen", 0, ""},     {"width1", 1, ""},          {"width8", 8, ""},
                          {"width16", 16, ""},   {"width32", 32, ""},        {"width1fiber", 1, "fiber"},
                          {"fiber", 0, "fiber"}, {"width8fiber", 8, "fiber"}};

uint64_t setting(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 0) : otherwise;
}

compiler::ModulePtr build(const std::vector<uint32_t>& spirv, const Form& form) {
  compiler::CompileRequest request;
  request.inputs.push_back({std::as_bytes(std::span(spirv)), "", {}});
  request.vector_width = form.width;
  request.engine = form.engine;
  return compiler::Compiler::shared().compile(request);
}

std::string first_difference(const char* what, const std::vector<uint32_t>& got, const std::vector<uint32_t>& want) {
  for (size_t i = 0; i < want.size(); ++i)
    if (got[i] != want[i])
      return std::string(what) + "[" + std::to_string(i) + "] is " + std::to_string(got[i]) + ", not " +
             std::to_string(want[i]);
  return "";
}

std::string difference(const Buffers& got, const Buffers& want) {
  std::string result = first_difference("input", got.input, want.input);
  if (result.empty()) result = first_difference("output", got.output, want.output);
  return result.empty() ? first_difference("counters", got.counters, want.counters) : result;
}

class RandomPrograms : public testing::TestWithParam<Form> {};

TEST_P(RandomPrograms, MeanWhatTheInterpreterSays) {
  const uint64_t count = setting("ZEROTH_RANDOM_PROGRAMS", 25), first = setting("ZEROTH_RANDOM_SEED", 1);
  int failures = 0;
  for (uint64_t seed = first; seed < first + count && failures < 5; ++seed) {
    const Program program = generate(seed);
    compiler::ModulePtr module;
    try {
      module = build(emit_spirv(program), GetParam());
    } catch (const compiler::CompileError& error) {
      ++failures;
      ADD_FAILURE() << "seed " << seed << ": " << error.log();
      continue;
    }
    const compiler::KernelInfo& kernel = *module->kernel("program");
    Buffers want = initial_buffers(program), got = want;
    interpret(program, kernel.sub_group_size, want);
    run_kernel(kernel, program, got);
    const std::string wrong = difference(got, want);
    if (wrong.empty()) continue;
    ++failures;
    ADD_FAILURE() << GetParam().name << ", seed " << seed << ", width " << kernel.width << ": " << wrong << "\n"
                  << (failures == 1 ? to_text(program) : "");
  }
}

// What gtest prints of a form; its default would print addresses, which change from run to run.
void PrintTo(const Form& form, std::ostream* out) { *out << form.name; }

INSTANTIATE_TEST_SUITE_P(, RandomPrograms, testing::ValuesIn(Forms), [](const auto& info) { return info.param.name; });

TEST(RandomProgramGenerator, MakesTheSameProgramForTheSameSeed) {
  EXPECT_EQ(emit_spirv(generate(7)), emit_spirv(generate(7)));
  EXPECT_NE(emit_spirv(generate(7)), emit_spirv(generate(8)));
}

TEST(RandomProgramGenerator, MakesOnlyLegalPrograms) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const Program program = generate(seed);
    Buffers buffers = initial_buffers(program);
    EXPECT_NO_THROW(interpret(program, program.required_sub_group_size ? program.required_sub_group_size : 16, buffers))
        << to_text(program);
  }
}

} // namespace
} // namespace zeroth::random_programs
