// Every form of the compiled code means what the plain interpreter means, and the comparison notices wrong code.
// ZEROTH_RANDOM_PROGRAMS: how many programs (default 1000); ZEROTH_RANDOM_SEED: the first seed (default 1).
// `zeroth-random-programs` runs many more, on all cores.
#include "check.hpp"
#include "emit_spirv.hpp"
#include "interpret.hpp"
#include "planted_faults.hpp"
#include "run_kernel.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace zeroth::random_programs {
namespace {

constexpr uint32_t BatchSize = 50, Batches = 20;

uint64_t setting(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 0) : otherwise;
}

// A part of the programs each, so that ctest can run them side by side.
class RandomPrograms : public testing::TestWithParam<uint32_t> {};

TEST_P(RandomPrograms, MeanWhatTheInterpreterSays) {
  const uint64_t count = setting("ZEROTH_RANDOM_PROGRAMS", uint64_t(BatchSize) * Batches) / Batches;
  CheckOptions options;
  options.first = setting("ZEROTH_RANDOM_SEED", 1) + GetParam() * count;
  options.count = uint32_t(count);
  options.verify = GetParam() == 0;
  for (const Disagreement& wrong : check_batch(options))
    ADD_FAILURE() << wrong.form << ", seed " << wrong.seed << ": " << wrong.what << "\n"
                  << to_text(generate(wrong.seed));
}

INSTANTIATE_TEST_SUITE_P(, RandomPrograms, testing::Range(0u, Batches));

// What went wrong once: 1002914 and 1008858, a branch that is the same for all inside of one that is not;
// 1012801, an endless loop that no work-item enters.
TEST(RandomProgramsOfThePast, AreRightInEveryForm) {
  for (uint64_t seed : {1002914u, 1008858u, 1012801u}) {
    CheckOptions options;
    options.first = seed;
    options.all_forms = true;
    options.features.vectors = options.features.sub_group_barriers = false; // there were none then
    for (const Disagreement& wrong : check_batch(options))
      ADD_FAILURE() << wrong.form << ", seed " << wrong.seed << ": " << wrong.what;
  }
}

// Wrong code may do anything: it runs in a child, and a crash is noticed, too.
bool is_noticed(const PlantedFault& fault, uint64_t first, uint32_t count) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60); // it may also go on for ever
    CheckOptions options;
    options.first = first;
    options.count = count;
    options.tamper = fault.tamper;
    _exit(check_batch(options).empty() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status != 0;
}

class PlantedFaults : public testing::TestWithParam<size_t> {};

TEST_P(PlantedFaults, AreNoticedWithinEightyPrograms) {
  const PlantedFault& fault = planted_faults()[GetParam()];
  bool noticed = false;
  for (uint64_t seed = 1; seed <= 80 && !noticed; seed += 10) noticed = is_noticed(fault, seed, 10);
  EXPECT_TRUE(noticed) << fault.name;
}

INSTANTIATE_TEST_SUITE_P(, PlantedFaults, testing::Range(size_t(0), planted_faults().size()),
                         [](const auto& info) { return planted_faults()[info.param].name; });

// The same through the worker program and the client library.
TEST(RandomProgramsThroughTheWorker, MeanWhatTheInterpreterSays) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const Program program = generate(seed);
    const std::vector<uint32_t> spirv = emit_spirv(program);
    compiler::CompileRequest request;
    request.inputs.push_back({std::as_bytes(std::span(spirv)), "", {}});
    const compiler::ModulePtr module = compiler::Compiler::shared().compile(request);
    const compiler::KernelInfo& kernel = *module->kernel("program");
    Buffers want = initial_buffers(program), got = want;
    interpret(program, kernel.sub_group_size, want);
    run_kernel(kernel, program, got);
    EXPECT_EQ(got.output, want.output) << to_text(program);
    EXPECT_EQ(got.counters, want.counters) << to_text(program);
  }
}

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
