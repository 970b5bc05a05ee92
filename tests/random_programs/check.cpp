#include "check.hpp"

#include "emit_spirv.hpp"
#include "interpret.hpp"
#include "run_kernel.hpp"
#include "running_forms.hpp"

namespace zeroth::random_programs {
namespace {

// The form that programs get; it serves every seed.
constexpr Form Chosen = {"chosen", 0, ""};
constexpr Form InTurn[] = {{"width1fiber", 1, "fiber"}, {"width1", 1, ""},
                           {"width4", 4, ""},           {"width8", 8, ""},
                           {"width16", 16, ""},         {"width32", 32, ""},
                           {"width64", 64, ""},         {"chosenfiber", 0, "fiber"},
                           {"width8fiber", 8, "fiber"}, {"width32fiber", 32, "fiber"}};

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

struct Trial {
  size_t program; // in the batch
  Form form;
  size_t kernel;
};

// Sub-groups of a program that uses them are of the size that it requires; others cannot tell.
uint32_t sub_group_size(const Program& program) {
  return program.required_sub_group_size ? program.required_sub_group_size : 1;
}

// Most programs are compiled as far as their launch goes; each sixteenth in all forms that a kernel has.
constexpr uint64_t WholeEach = 16;

Tamper tamper_of(const CheckOptions& options, const Program& program) {
  if (options.verify || program.seed % WholeEach == 0) return options.tamper;
  Tamper tamper = options.tamper;
  tamper.code = [more = options.tamper.code, &program](llvm::Module& module) {
    keep_running_forms(module, program);
    if (more) more(module);
  };
  return tamper;
}

std::string run_trial(const Program& program, const compiler::KernelInfo& kernel, const Buffers& want) {
  if (program.required_sub_group_size && kernel.sub_group_size != program.required_sub_group_size)
    return "the required sub-group size " + std::to_string(program.required_sub_group_size) + " became " +
           std::to_string(kernel.sub_group_size);
  Buffers got = initial_buffers(program);
  run_kernel(kernel, program, got);
  return difference(got, want);
}

} // namespace

std::vector<Form> forms_of(uint64_t seed, bool all) {
  std::vector<Form> forms = {Chosen};
  if (all)
    forms.insert(forms.end(), std::begin(InTurn), std::end(InTurn));
  else
    forms.push_back(InTurn[seed % std::size(InTurn)]);
  return forms;
}

std::string check_program(const Program& program, const Form& form) {
  InProcessCompiler compiler;
  const size_t kernel = compiler.add(emit_spirv(program), form);
  const auto loaded = compiler.load();
  Buffers expected = initial_buffers(program);
  interpret(program, sub_group_size(program), expected);
  return run_trial(program, loaded->kernels[kernel], expected);
}

std::vector<Disagreement> check_batch(const CheckOptions& options) {
  std::vector<Disagreement> wrong;
  std::vector<Program> programs;
  std::vector<Trial> trials;
  InProcessCompiler compiler(options.verify);
  for (uint64_t seed = options.first; seed < options.first + options.count; ++seed) {
    programs.push_back(generate(seed, options.features));
    const std::vector<uint32_t> spirv = emit_spirv(programs.back());
    const Tamper tamper = tamper_of(options, programs.back());
    for (const Form& form : forms_of(seed, options.all_forms)) {
      try {
        trials.push_back({programs.size() - 1, form, compiler.add(spirv, form, tamper)});
      } catch (const CompileFailure& failure) {
        wrong.push_back({seed, form.name, failure.what()});
      }
    }
  }
  if (trials.empty()) return wrong;
  const auto loaded = compiler.load();
  std::vector<Buffers> expected;
  for (const Program& program : programs) {
    expected.push_back(initial_buffers(program));
    interpret(program, sub_group_size(program), expected.back());
  }
  for (const Trial& trial : trials) {
    const Program& program = programs[trial.program];
    const std::string what = run_trial(program, loaded->kernels[trial.kernel], expected[trial.program]);
    if (!what.empty()) wrong.push_back({program.seed, trial.form.name, what});
  }
  return wrong;
}

} // namespace zeroth::random_programs
