// End to end: client library, worker program, native binaries.
#include "test_support.hpp"

#include <atomic>

#include <csignal>
#include <fcntl.h>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace zeroth::compiler {
namespace {

using namespace testing;
using Kind = CompileError::Kind;

// The log of a compile that must fail.
std::string failure(Compiler& compiler, const CompileRequest& request, Kind kind = Kind::BuildFailure) {
  try {
    compiler.compile(request);
  } catch (const CompileError& error) {
    EXPECT_EQ(error.kind(), kind);
    EXPECT_FALSE(error.log().empty());
    return error.log();
  }
  ADD_FAILURE() << "the compile succeeded";
  return "";
}

bool is_running(const std::string& program) {
  std::error_code error;
  for (const auto& process : std::filesystem::directory_iterator("/proc", error)) {
    const auto target = std::filesystem::read_symlink(process.path() / "exe", error);
    if (!error && target == program) return true;
  }
  return false;
}

TEST(KernelCompiler, CompilesAndRunsSaxpy) {
  Compiler compiler(options_without_cache());
  const auto spirv = kernel_file("saxpy");
  const ModulePtr module = compiler.compile(request_for(spirv));
  EXPECT_TRUE(saxpy_is_right(*module));
  ASSERT_EQ(module->kernels().size(), 1u);
  const KernelInfo& kernel = module->kernels()[0];
  EXPECT_EQ(kernel.arguments[0].kind, ArgumentKind::Value);
  EXPECT_EQ(kernel.arguments[0].size, 4u);
  EXPECT_EQ(kernel.arguments[1].kind, ArgumentKind::Pointer);
  EXPECT_EQ(kernel.arguments[1].address_space, AddressSpace::Global);
  EXPECT_EQ(kernel.arguments[2].offset, 16u);
  EXPECT_FALSE(kernel.uses_double);
  EXPECT_FALSE(kernel.uses_printf);
}

TEST(KernelCompiler, VerboseLogNamesEveryKernel) {
  Compiler compiler(options_without_cache());
  const auto spirv = kernel_file("saxpy");
  const ModulePtr module = compiler.compile(request_for(spirv, "-v -no-such-flag"));
  EXPECT_NE(module->build_log().find("saxpy"), std::string::npos);
  EXPECT_NE(module->build_log().find("-no-such-flag"), std::string::npos);
}

TEST(KernelCompiler, NativeBinaryComesBackAsTheSameModule) {
  Compiler compiler(options_without_cache());
  const auto spirv = kernel_file("saxpy");
  const ModulePtr module = compiler.compile(request_for(spirv));
  const ModulePtr again = compiler.load_native(module->native_binary());
  EXPECT_TRUE(saxpy_is_right(*again));
  EXPECT_NE(again->kernels()[0].entry, module->kernels()[0].entry);
  auto damaged = std::vector<std::byte>(module->native_binary().begin(), module->native_binary().end());
  damaged[damaged.size() / 2] ^= std::byte{8};
  EXPECT_THROW(compiler.load_native(damaged), CompileError);
  EXPECT_THROW(compiler.load_native({}), CompileError);
}

// The dynamic loader knows objects by their path; two modules must never become one.
TEST(KernelCompiler, ManyModulesAliveAtOnceStayApart) {
  Compiler compiler(options_without_cache());
  const auto saxpy = kernel_file("saxpy"), triad = kernel_file("triad");
  const ModulePtr first = compiler.compile(request_for(saxpy)), second = compiler.compile(request_for(triad));
  std::vector<ModulePtr> modules;
  std::set<const void*> entries;
  for (int i = 0; i < 100; ++i) {
    const CompiledModule& from = i % 2 ? *second : *first;
    modules.push_back(compiler.load_native(from.native_binary()));
    ASSERT_EQ(modules.back()->kernels()[0].name, from.kernels()[0].name);
    EXPECT_TRUE(entries.insert(reinterpret_cast<const void*>(modules.back()->kernels()[0].entry)).second);
  }
  EXPECT_TRUE(saxpy_is_right(*modules[0]));
  EXPECT_TRUE(saxpy_is_right(*modules[98]));
}

// zeModuleDynamicLink: the device compiles all inputs together.
TEST(KernelCompiler, ImportsAreOpenAloneAndResolvedTogether) {
  Compiler compiler(options_without_cache());
  const auto user = own_kernel("imports"), library = own_kernel("exports");
  const ModulePtr open = compiler.compile(request_for(user));
  ASSERT_EQ(open->imports().size(), 1u);
  EXPECT_EQ(open->imports()[0].name, "helper");
  EXPECT_EQ(open->kernels().at(0).entry, nullptr);
  EXPECT_NE(open->build_log().find("helper"), std::string::npos);
  for (bool library_first : {false, true}) {
    CompileRequest both = request_for(library_first ? library : user);
    both.inputs.push_back({library_first ? user : library, "", {}});
    const ModulePtr linked = compiler.compile(both);
    EXPECT_TRUE(linked->imports().empty());
    const auto offset = std::ranges::find(linked->exports(), "offset", &SymbolInfo::name);
    ASSERT_NE(offset, linked->exports().end());
    EXPECT_EQ(*static_cast<const int*>(offset->address), 7);
    EXPECT_EQ(reinterpret_cast<int (*)(int)>(linked->function_address("helper"))(5), 5 * 3 + 7);
    std::vector<int> out(64);
    const int* pointer = out.data();
    const auto raw = std::as_bytes(std::span(&pointer, 1));
    run(*linked->kernel("user"), {raw.begin(), raw.end()}, 2, 32);
    for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], 3 * i + 7);
  }
}

// Large modules are cut into parts that are generated side by side: nothing of that may be seen.
TEST(KernelCompiler, ModuleOfManyKernelsIsWhole) {
  Compiler compiler(options_without_cache());
  const auto spirv = own_kernel("many");
  const ModulePtr module = compiler.compile(request_for(spirv));
  ASSERT_EQ(module->kernels().size(), 16u);
  for (int k = 0; k < 16; ++k) {
    std::vector<int> out(50);
    const int* pointer = out.data();
    const auto raw = std::as_bytes(std::span(&pointer, 1));
    const KernelInfo& kernel = module->kernels()[k];
    run(kernel, {raw.begin(), raw.end()}, 2, 25);
    const int number = std::stoi(kernel.name.substr(4));
    for (int i = 0; i < 50; ++i) EXPECT_EQ(out[i], number * i + 1) << kernel.name;
  }
}

// No orphans: even a compile that never ends is gone when the host is, or, where it is for the cache, at its limit.
void expect_end_with_host(bool cached) {
  const TemporaryFolder folder;
  const std::string program = folder.path() / "zeroth-kernelc";
  std::filesystem::copy_file(ZEROTH_TEST_WORKER, program);
  const auto spirv = kernel_file("saxpy");
  const pid_t host = fork();
  if (host == 0) {
    CompilerOptions options = cached ? options_with_cache(folder.path() / "cache") : options_without_cache();
    options.worker_path = program;
    if (cached) options.time_limit = std::chrono::seconds(2);
    Compiler(options).compile(request_for(spirv, "-zeroth-fault=hang"));
    _exit(0);
  }
  const auto wait_for = [&](bool alive) {
    for (int i = 0; i < 1000 && is_running(program) != alive; ++i) usleep(10'000);
    return is_running(program) == alive;
  };
  EXPECT_TRUE(wait_for(true));
  kill(host, SIGKILL);
  waitpid(host, nullptr, 0);
  EXPECT_TRUE(wait_for(false));
}

TEST(KernelCompiler, WorkerDiesWithItsHost) { expect_end_with_host(false); }
TEST(KernelCompiler, WorkerThatCompilesForTheCacheDiesAtItsLimit) { expect_end_with_host(true); }

// `limit` bounds a resource of a program that compiles: what comes of it is an error, not the program's end.
void expect_error_under(__rlimit_resource resource, rlim_t limit) {
  const auto spirv = kernel_file("saxpy");
  const pid_t program = fork();
  if (program == 0) {
    const rlimit both{limit, limit};
    setrlimit(resource, &both);
    try {
      Compiler(options_without_cache()).compile(request_for(spirv));
    } catch (const std::exception&) {
      _exit(42);
    }
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(program, &status, 0), program);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 42) << status;
}

TEST(KernelCompiler, NoRoomForFilesIsAnError) { expect_error_under(RLIMIT_FSIZE, 0); }
TEST(KernelCompiler, TooFewDescriptorsAreAnError) { expect_error_under(RLIMIT_NOFILE, 5); }

TEST(KernelCompiler, GarbageIsABuildFailureAndTheNextModuleBuilds) {
  Compiler compiler(options_without_cache());
  for (size_t size : {0, 1, 3, 4, 19, 20, 4096}) {
    const std::vector<std::byte> garbage(size, std::byte{0x5a});
    failure(compiler, request_for(garbage));
  }
  CompileRequest none;
  failure(compiler, none);
  const auto spirv = kernel_file("saxpy");
  EXPECT_TRUE(saxpy_is_right(*compiler.compile(request_for(spirv))));
}

TEST(KernelCompiler, CrashOfTheCompilerIsABuildFailureWithTheLogSoFar) {
  Compiler compiler(options_without_cache());
  const auto spirv = kernel_file("saxpy");
  const std::string log = failure(compiler, request_for(spirv, "-zeroth-fault=crash"));
  EXPECT_NE(log.find("fault on demand"), std::string::npos) << log;
  EXPECT_NE(log.find("crashed"), std::string::npos) << log;
  EXPECT_TRUE(saxpy_is_right(*compiler.compile(request_for(spirv))));
}

TEST(KernelCompiler, CompilerKilledAgainAndAgainIsABuildFailure) {
  Compiler compiler(options_without_cache());
  const auto spirv = kernel_file("saxpy");
  const std::string log = failure(compiler, request_for(spirv, "-zeroth-fault=killed"));
  EXPECT_NE(log.find("killed"), std::string::npos) << log;
  EXPECT_TRUE(saxpy_is_right(*compiler.compile(request_for(spirv))));
}

TEST(KernelCompiler, EndlessCompileEndsAtTheTimeLimit) {
  CompilerOptions options = options_without_cache();
  options.time_limit = std::chrono::milliseconds(300);
  Compiler compiler(options);
  const auto spirv = kernel_file("saxpy");
  const std::string log = failure(compiler, request_for(spirv, "-zeroth-fault=hang"));
  EXPECT_NE(log.find("time limit"), std::string::npos) << log;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(KernelCompiler, CompileProcessMayNeitherTalkNorWrite) {
  if (prctl(PR_GET_SECCOMP) < 0) GTEST_SKIP() << "this kernel has no seccomp";
  Compiler compiler(options_without_cache());
  const auto spirv = kernel_file("saxpy");
  const std::string log = compiler.compile(request_for(spirv, "-zeroth-fault=sandbox"))->build_log();
  for (const char* line : {"network refused", "writing refused", "program refused", "reading allowed"})
    EXPECT_NE(log.find(line), std::string::npos) << line << " in " << log;
}

TEST(KernelCompiler, CompileThatEatsMemoryEndsAtTheMemoryLimit) {
  CompilerOptions options = options_without_cache();
  options.memory_limit_bytes = 256 << 20;
  Compiler compiler(options);
  const auto spirv = kernel_file("saxpy");
  const std::string log = failure(compiler, request_for(spirv, "-zeroth-fault=memory"));
  EXPECT_NE(log.find("memory"), std::string::npos) << log;
  EXPECT_TRUE(saxpy_is_right(*compiler.compile(request_for(spirv))));
}
#endif

TEST(KernelCompiler, MissingWorkerIsReportedAsUnavailable) {
  CompilerOptions options = options_without_cache();
  options.worker_path = "/nonexistent/zeroth-kernelc";
  Compiler compiler(options);
  const auto spirv = kernel_file("saxpy");
  failure(compiler, request_for(spirv), Kind::Unavailable);
}

TEST(KernelCompiler, ThreadsCompileInParallel) {
  Compiler compiler(options_without_cache());
  const auto spirv = kernel_file("saxpy");
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 3; ++i) right += saxpy_is_right(*compiler.compile(request_for(spirv)));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 24);
}

TEST(KernelCompiler, ForkedChildAndParentBothGoOn) {
  Compiler compiler(options_without_cache());
  const auto spirv = kernel_file("saxpy");
  const ModulePtr module = compiler.compile(request_for(spirv));
  const pid_t child = fork();
  if (child == 0) {
    const bool right = saxpy_is_right(*module) && saxpy_is_right(*compiler.compile(request_for(spirv)));
    _exit(right ? 42 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 42);
  EXPECT_TRUE(saxpy_is_right(*compiler.compile(request_for(spirv))));
}

// Runs `body` in a child process, so that it may spoil signals and descriptors; true if it returned true.
bool in_child(const std::function<bool()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body() ? 42 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 42;
}

TEST(KernelCompiler, HostWithoutStandardDescriptorsCompiles) {
  const auto spirv = kernel_file("saxpy");
  EXPECT_TRUE(in_child([&] {
    for (int fd : {0, 1, 2}) close(fd);
    Compiler compiler(options_without_cache());
    const bool right = saxpy_is_right(*compiler.compile(request_for(spirv)));
    return right && fcntl(0, F_GETFD) < 0 && fcntl(1, F_GETFD) < 0 && fcntl(2, F_GETFD) < 0;
  }));
}

std::atomic<int> signals_seen = 0;

TEST(KernelCompiler, HostSeesNoChildAndNoSignal) {
  const auto spirv = kernel_file("saxpy");
  EXPECT_TRUE(in_child([&] {
    for (int number : {SIGCHLD, SIGPIPE}) signal(number, [](int) { ++signals_seen; });
    {
      Compiler compiler(options_without_cache());
      if (!saxpy_is_right(*compiler.compile(request_for(spirv)))) return false;
      if (waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD) return false;
    }
    usleep(50'000); // the worker ends meanwhile
    return signals_seen == 0 && waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
  }));
}

TEST(KernelCompiler, HostThatIgnoresChildrenCompiles) {
  const auto spirv = kernel_file("saxpy");
  EXPECT_TRUE(in_child([&] {
    signal(SIGCHLD, SIG_IGN);
    Compiler compiler(options_without_cache());
    return saxpy_is_right(*compiler.compile(request_for(spirv)));
  }));
}

// Issue 3, point 15: the process lives, each failure has a log, a good module builds after every bad one.
TEST(KernelCompiler, TwoHundredMutantsEndInAModuleOrALog) {
  CompilerOptions options = options_without_cache();
  options.time_limit = std::chrono::seconds(5);
  Compiler compiler(options);
  const std::vector<std::string> names = {"saxpy", "mandelbrot", "sgemm_tiled", "reduce", "ctlflow"};
  std::mt19937 random(15);
  const auto good = kernel_file("saxpy");
  for (int i = 0; i < 200; ++i) {
    auto mutant = kernel_file(names[i % names.size()]);
    if (i % 4 == 0) {
      mutant.resize(random() % mutant.size());
    } else {
      const int changes = 1 + random() % 4;
      for (int c = 0; c < changes; ++c) mutant[random() % mutant.size()] ^= std::byte(1 << random() % 8);
    }
    try {
      compiler.compile(request_for(mutant));
    } catch (const CompileError& error) {
      EXPECT_EQ(error.kind(), Kind::BuildFailure) << i;
      EXPECT_GT(error.log().size(), 5u) << i;
      EXPECT_EQ(error.log().find("crashed"), std::string::npos) << i << error.log();
      EXPECT_EQ(error.log().find("time limit"), std::string::npos) << i << error.log();
    }
    if (i % 50 == 49) {
      EXPECT_TRUE(saxpy_is_right(*compiler.compile(request_for(good)))) << i;
    }
  }
}

} // namespace
} // namespace zeroth::compiler
