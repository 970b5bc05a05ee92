// zeroth-aarch64-jobs FOLDER [PROGRAMS]: compiles every test kernel for AArch64 in several forms, and random programs
// (default 40) in one or two each, and writes for each an object file and a job: inputs, and the outputs that the plain
// form gives on this machine, or that the interpreter gives.
#include "job.hpp"
#include "spirv_cases.hpp"

#include <kernel_compiler/builtins/link_builtins.hpp>
#include <kernel_compiler/codegen/testing/test_program.hpp>
#include <kernel_compiler/spirv/reader.hpp>
#include <random_programs/check.hpp>
#include <random_programs/emit_spirv.hpp>
#include <random_programs/interpret.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <llvm/Support/TargetSelect.h>

namespace {

using namespace zeroth;
using namespace zeroth::codegen::testing;
namespace fs = std::filesystem;

struct Form {
  uint32_t width;
  const char* engine;
  bool quick;
};
constexpr Form forms[] = {{0, "", false},  {1, "", false},      {4, "", false},
                          {16, "", false}, {8, "fiber", false}, {0, "", true}};

enum class Origin { OpenCL, Spirv };

codegen::CpuTarget target() { return {"aarch64-unknown-linux-gnu", "generic", ""}; }

codegen::CompileOptions options_for(const Form& form) {
  codegen::CompileOptions options;
  options.cpu = target();
  options.width = form.width;
  options.engine = form.engine;
  options.quick = form.quick;
  options.verify_each = true;
  return options;
}

spirv::ReadResult read(std::span<const uint32_t> words, llvm::LLVMContext& context) {
  spirv::ReadResult result = spirv::read_spirv(words, {}, context);
  if (!result.ok()) throw std::runtime_error(result.log);
  return result;
}

std::unique_ptr<llvm::Module> module_of(const KernelCase& test, Origin origin, llvm::LLVMContext& context) {
  if (origin == Origin::OpenCL) return read_opencl(context, std::string(KERNELS_FOLDER) + "/" + test.file + ".ll");
  std::ifstream file(std::string(SPIRV_FOLDER) + "/" + test.file + ".spv", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<uint32_t> words(text.size() / 4);
  std::memcpy(words.data(), text.data(), words.size() * 4);
  return std::move(read(words, context).module);
}

codegen::CompiledObject compile(const KernelCase& test, Origin origin, const Form& form) {
  llvm::LLVMContext context;
  const auto module = module_of(test, origin, context);
  builtins::link_builtins(*module);
  return codegen::compile_to_object(*module, options_for(form));
}

Buffers filled(const KernelCase& test) {
  std::mt19937 random(7);
  Buffers buffers;
  test.fill(random, buffers);
  return buffers;
}

template <class T> std::vector<uint8_t> bytes_of(const std::vector<T>& values) {
  const auto* first = reinterpret_cast<const uint8_t*>(values.data());
  return {first, first + values.size() * sizeof(T)};
}

// The argument block holds the address of `before`, which will be another one there.
template <class T>
void add_buffer(aarch64::Job& job, const std::vector<T>& before, const std::vector<T>& after,
                aarch64::Buffer::Elements elements, float tolerance) {
  const auto address = reinterpret_cast<uint64_t>(before.data());
  for (size_t at = 0; at + 8 <= job.block.size(); at += 8)
    if (std::memcmp(job.block.data() + at, &address, 8) == 0)
      job.pointers.push_back({uint32_t(at), uint32_t(job.buffers.size())});
  job.buffers.push_back({elements, tolerance, bytes_of(before), bytes_of(after)});
}

void add_buffers(aarch64::Job& job, const KernelCase& test, const Buffers& before, const Buffers& after) {
  using aarch64::Buffer;
  const auto add = [&](const auto& list, const auto& results, Buffer::Elements elements, float least) {
    for (size_t i = 0; i < list.size(); ++i)
      add_buffer(job, list[i], results[i], elements, std::max(test.tolerance, least));
  };
  add(before.floats, after.floats, Buffer::Floats, 1e-5f);
  add(before.doubles, after.doubles, Buffer::Doubles, 1e-12f);
  add(before.ints, after.ints, Buffer::Bits, 0);
}

// What the plain form computes here.
Buffers expected(const KernelCase& test, Origin origin) {
  codegen::CompileOptions options;
  options.width = 1;
  options.engine = "fiber";
  llvm::LLVMContext context;
  const Program program(module_of(test, origin, context), options);
  Buffers buffers = filled(test);
  program.run(test.kernel, test.arguments(buffers, program.kernel(test.kernel)), test.launch);
  return buffers;
}

aarch64::Job job_for(const codegen::KernelCode& code, const Launch& launch) {
  aarch64::Job job;
  job.symbol = code.symbol;
  std::copy_n(launch.group_size.begin(), 3, job.group_size);
  std::copy_n(launch.group_count.begin(), 3, job.group_count);
  std::copy_n(launch.offset.begin(), 3, job.global_offset);
  job.work_dim = launch.work_dim;
  job.local_bytes = code.local_bytes;
  const uint64_t items = uint64_t(job.group_size[0]) * job.group_size[1] * job.group_size[2];
  job.scratch_bytes = code.scratch_fixed + code.scratch_slice * ((items + code.width - 1) / code.width);
  return job;
}

aarch64::Job make_job(const KernelCase& test, const codegen::KernelCode& code, const Buffers& after) {
  Buffers before = filled(test);
  const Arguments arguments = test.arguments(before, code);
  aarch64::Job job = job_for(code, test.launch);
  job.block.assign(arguments.data(), arguments.data() + arguments.size());
  job.local_bytes = std::max(code.local_bytes, arguments.local_bytes());
  add_buffers(job, test, before, after);
  return job;
}

void write(const fs::path& stem, const codegen::CompiledObject& object, const aarch64::Job& job) {
  std::ofstream(stem.string() + ".o", std::ios::binary)
      .write(object.object.data(), std::streamsize(object.object.size()));
  std::ofstream out(stem.string() + ".job", std::ios::binary);
  aarch64::write_job(out, job);
}

int write_cases(const fs::path& folder, const std::vector<KernelCase>& cases, Origin origin) {
  int number = 0;
  for (const KernelCase& test : cases) {
    const Buffers after = expected(test, origin);
    for (const Form& form : forms) {
      const codegen::CompiledObject object = compile(test, origin, form);
      const auto code = std::ranges::find(object.kernels, test.kernel, &codegen::KernelCode::name);
      const std::string name = std::string(test.kernel) + "." + std::to_string(number) +
                               (origin == Origin::Spirv ? "s" : "") + ".w" + std::to_string(form.width) + form.engine +
                               (form.quick ? "quick" : "");
      write(folder / name, object, make_job(test, *code, after));
    }
    ++number;
  }
  return number;
}

// ---- random programs
// -------------------------------------------------------------------------------------------------

using RandomProgram = random_programs::Program;

void add_arguments(aarch64::Job& job, const spirv::Kernel& kernel, const RandomProgram& program,
                   const random_programs::Buffers& before, const random_programs::Buffers& after) {
  job.block.assign(kernel.argument_block_size, 0);
  const auto set = [&](size_t argument, const auto& value) {
    std::memcpy(job.block.data() + kernel.arguments.at(argument).offset, &value, sizeof value);
  };
  set(0, before.input.data());
  set(1, before.output.data());
  set(2, before.counters.data());
  for (size_t u = 0; u < random_programs::UniformCount; ++u) set(3 + u, program.uniforms[u]);
  add_buffer(job, before.input, after.input, aarch64::Buffer::Bits, 0);
  add_buffer(job, before.output, after.output, aarch64::Buffer::Bits, 0);
  add_buffer(job, before.counters, after.counters, aarch64::Buffer::Bits, 0);
}

void write_program(const fs::path& stem, const RandomProgram& program, const random_programs::Form& form) {
  llvm::LLVMContext context;
  spirv::ReadResult result = read(random_programs::emit_spirv(program), context);
  builtins::link_builtins(*result.module);
  const auto object = codegen::compile_to_object(*result.module, options_for({form.width, form.engine, false}));
  const random_programs::Buffers before = random_programs::initial_buffers(program);
  random_programs::Buffers after = before;
  random_programs::interpret(program, std::max(1u, program.required_sub_group_size), after);
  aarch64::Job job = job_for(object.kernels[0], {program.group_size, program.group_count, {}, 3});
  add_arguments(job, result.info.kernels[0], program, before, after);
  write(stem, object, job);
}

void write_programs(const fs::path& folder, uint64_t count) {
  for (uint64_t seed = 1; seed <= count; ++seed) {
    const RandomProgram program = random_programs::generate(seed);
    for (const random_programs::Form& form : random_programs::forms_of(seed, false))
      write_program(folder / ("random." + std::to_string(seed) + "." + form.name), program, form);
  }
}

} // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
  const fs::path folder = arguments[1];
  const uint64_t programs = count > 2 ? std::strtoull(arguments[2], nullptr, 0) : 40;
  fs::create_directories(folder);
  const int kernels =
      write_cases(folder, kernel_cases(), Origin::OpenCL) + write_cases(folder, aarch64::spirv_cases(), Origin::Spirv);
  write_programs(folder, programs);
  std::printf("%d kernels with their inputs, %zu forms each; %llu random programs\n", kernels, std::size(forms),
              static_cast<unsigned long long>(programs));
  return 0;
}
