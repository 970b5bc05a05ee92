// `zeroth compile FILE`: what a module becomes on a CPU: a report for its author, LLVM IR, assembly, or the finished
// file.
#include "cli/commands.hpp"
#include "cli/opencl_source.hpp"

#include <kernel_compiler/client/kernel_compiler.hpp>

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

namespace zeroth::cli {
namespace {

struct CompileCommand {
  std::string file, emit = "report", output = "-", cpu, build_flags, opencl_flags;
};

void write(const std::string& file, std::string_view content) {
  if (file == "-") {
    std::fwrite(content.data(), 1, content.size(), stdout);
    return;
  }
  std::ofstream stream(file, std::ios::binary);
  stream.write(content.data(), std::streamsize(content.size()));
  if (!stream.flush()) throw Failure(fmt::format("cannot write {}: {}", file, std::strerror(errno)));
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The build log is said to a person in any case; what was asked for is found behind the mark.
std::string_view listing_of(std::string_view log) {
  const size_t mark = log.find(compiler::listing_mark);
  if (mark == std::string_view::npos) throw Failure("the compiler gave no listing");
  std::fwrite(log.data(), 1, mark, stderr);
  return log.substr(mark + compiler::listing_mark.size() + 1);
}

// LLVM's word for a level of ZEROTH_CPU; other words are LLVM's own.
std::string cpu_name(const std::string& word) {
  if (word == "sse") return "x86-64-v2";
  if (word == "avx2") return "x86-64-v3";
  return word == "avx512" ? "x86-64-v4" : word;
}

compiler::ModulePtr compile(const CompileCommand& command, const std::vector<std::byte>& spirv) {
  std::string flags = command.build_flags;
  if (command.emit == "report") flags += " -v";
  if (command.emit == "llvm" || command.emit == "asm") flags += " -zeroth-emit=" + command.emit;
  compiler::CompileRequest request;
  request.inputs.push_back({spirv, flags, {}});
  request.cpu.name = cpu_name(command.cpu);
  try {
    return compiler::Compiler::shared().compile(request);
  } catch (const compiler::CompileError& error) {
    throw Failure(fmt::format("{} does not build:\n{}", command.file, error.log()));
  }
}

int run_compile(const CompileCommand& command) {
  const Lines lines = command.emit == "report" ? Lines::Wanted : lines_for(command.build_flags);
  const auto spirv = read_module(command.file, command.opencl_flags, lines);
  if (command.emit == "spv") return write(command.output, text_of(spirv)), 0;
  const compiler::ModulePtr module = compile(command, spirv);
  if (command.emit == "report" && module->build_log().empty())
    throw Failure(fmt::format("{}: the module has no kernel", command.file));
  if (command.emit == "report") write(command.output, module->build_log());
  if (command.emit == "so") write(command.output, text_of(module->native_binary()));
  if (command.emit == "llvm" || command.emit == "asm") write(command.output, listing_of(module->build_log()));
  return 0;
}

} // namespace

void add_compile_command(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<CompileCommand>();
  CLI::App* command = app.add_subcommand("compile", "Show what a kernel becomes on a CPU, and why");
  command->add_option("file", options->file, "SPIR-V module, or OpenCL C (.cl)")->required()->check(CLI::ExistingFile);
  command->add_option("--emit", options->emit, "report (the default), llvm, asm, so or spv")
      ->check(CLI::IsMember({"report", "llvm", "asm", "so", "spv"}));
  command->add_option("-o,--output", options->output, "File to write; - is the standard output");
  command->add_option("--cpu", options->cpu,
                      "sse, avx2, avx512 or LLVM's word for a CPU\n(x86-64-v3); default: this one");
  command->add_option("--build-flags", options->build_flags, "Build flags of the module");
  command->add_option("--opencl-flags", options->opencl_flags, "More flags for clang, such as -DN=4");
  command->footer("The report says for each kernel how many work-items run at once, and each thing\n"
                  "that costs speed: masks, gathers, what runs one work-item at a time, spills.\n"
                  "Example:\n"
                  "  zeroth compile sobel.cl\n"
                  "  zeroth compile sobel.spv --emit asm --cpu x86-64-v3 -o sobel.s");
  command->callback([options, &exit_status] { exit_status = run_compile(*options); });
}

} // namespace zeroth::cli
