// `zeroth run kernel.spv`: launches any kernel with arguments from the command line and from files.
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/engine_check.hpp"
#include "cli/kernel_runner.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zeroth::cli {
namespace {

void print_timing(const RunOptions& options, const KernelRunner& runner) {
  const auto& times = runner.launch_milliseconds();
  const Json report = {
      {"device", runner.device_name()}, {"kernel", runner.kernel_name()}, {"build ms", runner.build_milliseconds()},
      {"launches", times.size()},       {"shortest ms", times.front()},   {"median ms", times[times.size() / 2]},
      {"longest ms", times.back()}};
  if (options.json) return fmt::print("{}\n", report.dump(2));
  const bool text_on_stdout = std::any_of(options.outputs.begin(), options.outputs.end(),
                                          [](const std::string& output) { return output.ends_with("=-"); });
  Console(text_on_stdout ? stderr : stdout).tree(report);
}

int run_kernel(const RunOptions& options) {
  if (options.check_engines) return check_engines(options);
  KernelRunner runner(options);
  runner.build();
  runner.set_arguments();
  runner.launch();
  runner.write_outputs();
  print_timing(options, runner);
  return 0;
}

} // namespace

void add_run_command(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Launch a kernel of a SPIR-V or OpenCL C file");
  command->add_option("file", options->spirv, "SPIR-V module, or OpenCL C (.cl)")->required()->check(CLI::ExistingFile);
  command->add_option("--kernel", options->kernel, "Kernel name (may be left out when there is one)");
  command->add_option("--groups", options->groups, "Number of work-groups: X[,Y[,Z]]");
  command->add_option("--group-size", options->group_size, "Work-items of a group: X[,Y[,Z]]");
  command->add_option("--arg", options->arguments, "Next argument, see below")->take_all()->allow_extra_args(false);
  command->add_option("--out", options->outputs, "INDEX=FILE: write buffer argument INDEX")->allow_extra_args(false);
  command->add_option("--device", options->device, "Device number, counted over all drivers");
  command->add_option("--repeat", options->repeat, "Launches to time")->check([](const std::string& text) {
    return text.find_first_not_of('0') == std::string::npos ? "at least one launch" : "";
  });
  command->add_option("--build-flags", options->build_flags, "Build flags of the module");
  command->add_option("--opencl-flags", options->opencl_flags, "More flags for clang, such as -DN=4");
  command->add_flag("--check-engines", options->check_engines, "Run every form of the code once, and compare");
  command->add_flag("--json", options->json, "Print the timing as JSON");
  command->footer("Arguments, in order:\n"
                  "  f32:0.5  i32:1,2,3,4   a value, a vector\n"
                  "  f32[]:1024             a buffer of 1024 zeros\n"
                  "  f32[]:in.txt           a buffer from a file: .txt numbers, .png picture\n"
                  "                         (u8 RGB or f32 brightness), else raw bytes\n"
                  "  local:4096             work-group memory of 4096 bytes\n"
                  "  null                   a null pointer\n"
                  "Images and samplers cannot be given.\n"
                  "Outputs: --out 0=o.bin, 0=o.txt, 0=o.png[@WIDTHxHEIGHT], 0=- (text).\n"
                  "Example:\n"
                  "  zeroth run saxpy.spv --groups 4 --group-size 256 \\\n"
                  "    --arg f32:2 --arg f32[]:x.txt --arg f32[]:1024 --out 2=-");
  command->callback([options, &exit_status] { exit_status = run_kernel(*options); });
}

} // namespace zeroth::cli
