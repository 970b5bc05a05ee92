// zeroth-measure-compile [-n ROUNDS] [-f FLAGS] [-l OPTION]... [-p] FILE.spv...: processor time of whole compiles in
// this process, without cache, processes and files. For developers: the lowest and the median of ROUNDS (default 11)
// per module; -p: and at the end what each of LLVM's passes took.
#include "../codegen/pipelines.hpp"
#include "build_log.hpp"
#include "pipeline.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassTimingInfo.h>
#include <llvm/Pass.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/Timer.h>
#include <llvm/Support/raw_ostream.h>
#include <optional>
#include <string>
#include <time.h>

namespace {

using namespace zeroth::compiler;

class Silent final : public BuildLog {
  void write(std::string_view) override {}
};

double now() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
}

void measure(const std::string& path, int rounds, const std::string& flags) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  WorkerRequest work;
  work.request.inputs.push_back({std::as_bytes(std::span(text.data(), text.size())), flags, {}});
  work.request.cpu = Compiler::host_cpu();
  std::vector<double> times;
  size_t size = 0;
  for (int i = 0; i < rounds; ++i) {
    Silent log;
    const double start = now();
    size = build(work, "measured", log).size();
    times.push_back(now() - start);
  }
  std::sort(times.begin(), times.end());
  std::printf("%9.2f %9.2f ms %8zu bytes  %s\n", times[0], times[times.size() / 2], size, path.c_str());
  std::fflush(stdout);
}

// Our sequences of passes tell of themselves by callbacks, those of the code generator by a switch.
struct PassTimes {
  PassTimes() {
    llvm::TimePassesIsEnabled = true;
    handler.registerCallbacks(callbacks);
    zeroth::codegen::observe_passes(callbacks);
  }
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::TimePassesHandler handler{true};
};

} // namespace

int main(int count, char** arguments) {
  int rounds = 11;
  std::string flags;
  std::optional<PassTimes> times;
  initialize_pipeline();
  for (int i = 1; i < count; ++i) {
    if (!std::strcmp(arguments[i], "-n") && i + 1 < count) {
      rounds = std::atoi(arguments[++i]);
    } else if (!std::strcmp(arguments[i], "-f") && i + 1 < count) {
      flags = arguments[++i];
    } else if (!std::strcmp(arguments[i], "-l") && i + 1 < count) {
      const char* words[] = {arguments[0], arguments[++i]};
      llvm::cl::ResetAllOptionOccurrences();
      llvm::cl::ParseCommandLineOptions(2, words);
    } else if (!std::strcmp(arguments[i], "-p")) {
      times.emplace();
    } else {
      try {
        measure(arguments[i], rounds, flags);
      } catch (const std::exception& error) {
        std::printf("%s: %s\n", arguments[i], error.what());
      }
    }
  }
  if (times) llvm::TimerGroup::printAll(llvm::outs());
  return 0;
}
