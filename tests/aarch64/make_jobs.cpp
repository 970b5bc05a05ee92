// zeroth-aarch64-jobs FOLDER: compiles every test kernel for AArch64 in several forms and writes, for each, an object
// file and a job: inputs, and the outputs that the plain form gives on this machine.
#include "job.hpp"

#include <kernel_compiler/builtins/link_builtins.hpp>
#include <kernel_compiler/codegen/testing/kernel_cases.hpp>
#include <kernel_compiler/codegen/testing/test_program.hpp>

#include <algorithm>
#include <cstdio>
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

codegen::CpuTarget target() { return {"aarch64-unknown-linux-gnu", "generic", ""}; }

codegen::CompiledObject compile(const KernelCase& test, const Form& form) {
  llvm::LLVMContext context;
  auto module = read_opencl(context, std::string(KERNELS_FOLDER) + "/" + test.file + ".ll");
  builtins::link_builtins(*module);
  codegen::CompileOptions options;
  options.cpu = target();
  options.width = form.width;
  options.engine = form.engine;
  options.quick = form.quick;
  options.verify_each = true;
  return codegen::compile_to_object(*module, options);
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

void add_buffers(aarch64::Job& job, const KernelCase& test, Buffers& before, const Buffers& after) {
  const auto add = [&](auto& list, const auto& results, bool is_float) {
    for (size_t i = 0; i < list.size(); ++i) {
      const auto address = reinterpret_cast<uint64_t>(list[i].data());
      for (size_t at = 0; at + 8 <= job.block.size(); at += 8)
        if (std::memcmp(job.block.data() + at, &address, 8) == 0)
          job.pointers.push_back({uint32_t(at), uint32_t(job.buffers.size())});
      job.buffers.push_back(
          {is_float, is_float ? std::max(test.tolerance, 1e-5f) : 0, bytes_of(list[i]), bytes_of(results[i])});
    }
  };
  add(before.floats, after.floats, true);
  add(before.ints, after.ints, false);
}

// What the plain form computes here.
Buffers expected(const KernelCase& test) {
  codegen::CompileOptions options;
  options.width = 1;
  options.engine = "fiber";
  const auto program = Program::from_opencl(std::string(KERNELS_FOLDER) + "/" + test.file + ".ll", options);
  Buffers buffers = filled(test);
  program->run(test.kernel, test.arguments(buffers, program->kernel(test.kernel)), test.launch);
  return buffers;
}

aarch64::Job make_job(const KernelCase& test, const codegen::KernelCode& code, const Buffers& after) {
  Buffers before = filled(test);
  const Arguments arguments = test.arguments(before, code);
  aarch64::Job job;
  job.symbol = code.symbol;
  std::copy_n(test.launch.group_size.begin(), 3, job.group_size);
  std::copy_n(test.launch.group_count.begin(), 3, job.group_count);
  std::copy_n(test.launch.offset.begin(), 3, job.global_offset);
  job.work_dim = test.launch.work_dim;
  job.block.assign(arguments.data(), arguments.data() + arguments.size());
  job.local_bytes = std::max(code.local_bytes, arguments.local_bytes());
  const uint64_t items = uint64_t(job.group_size[0]) * job.group_size[1] * job.group_size[2];
  job.scratch_bytes = code.scratch_fixed + code.scratch_slice * ((items + code.width - 1) / code.width);
  add_buffers(job, test, before, after);
  return job;
}

void write(const fs::path& stem, const codegen::CompiledObject& object, const aarch64::Job& job) {
  std::ofstream(stem.string() + ".o", std::ios::binary)
      .write(object.object.data(), std::streamsize(object.object.size()));
  std::ofstream out(stem.string() + ".job", std::ios::binary);
  aarch64::write_job(out, job);
}

} // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
  fs::create_directories(arguments[1]);
  int number = 0;
  for (const KernelCase& test : kernel_cases()) {
    const Buffers after = expected(test);
    for (const Form& form : forms) {
      const codegen::CompiledObject object = compile(test, form);
      const auto code = std::find_if(object.kernels.begin(), object.kernels.end(),
                                     [&](const auto& kernel) { return kernel.name == test.kernel; });
      const std::string name = std::string(test.kernel) + "." + std::to_string(number) + ".w" +
                               std::to_string(form.width) + form.engine + (form.quick ? "quick" : "");
      write(fs::path(arguments[1]) / name, object, make_job(test, *code, after));
    }
    ++number;
  }
  std::printf("%d kernels with their inputs, %zu forms each\n", number, std::size(forms));
  return 0;
}
