// Modules that are opened rather than compiled: kernels compiled when they are asked for, quick code first.
#include "test_support.hpp"

#include "../spirv/extract_kernels.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace zeroth::compiler {
namespace {

using namespace testing;

std::vector<uint32_t> words_of(const std::vector<std::byte>& spirv) {
  std::vector<uint32_t> words(spirv.size() / 4);
  std::memcpy(words.data(), spirv.data(), spirv.size());
  return words;
}

// What kernel `many<n>` writes for 50 work-items.
std::vector<int> run_many(const KernelInfo& kernel) {
  std::vector<int> out(50);
  const int* pointer = out.data();
  const auto raw = std::as_bytes(std::span(&pointer, 1));
  run(kernel, {raw.begin(), raw.end()}, 2, 25);
  return out;
}
bool is_right(const KernelInfo& kernel) {
  const std::vector<int> out = run_many(kernel);
  const int number = std::stoi(kernel.name.substr(4));
  for (int i = 0; i < 50; ++i)
    if (out[i] != number * i + 1) return false;
  return true;
}

// Only the best code: figures of quick code differ.
CompilerOptions patient(CompilerOptions options) {
  options.patience = {};
  return options;
}

TEST(OpenModule, DescribesManyKernelsAndCompilesThemWhenAsked) {
  Compiler compiler(patient(options_without_cache()));
  const auto spirv = own_kernel("many");
  const ModulePtr lazy = compiler.open(request_for(spirv)), eager = compiler.compile(request_for(spirv));
  ASSERT_EQ(lazy->kernels().size(), 16u);
  for (size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(lazy->kernels()[i].entry, nullptr);
    EXPECT_EQ(lazy->kernels()[i].name, eager->kernels()[i].name);
    EXPECT_EQ(lazy->kernels()[i].argument_block_size, eager->kernels()[i].argument_block_size);
  }
  for (size_t i : {9, 2, 15, 2, 0, 1, 3, 4, 5, 6, 7, 8, 10}) {
    const KernelInfo& code = *lazy->prepare(i).load();
    EXPECT_EQ(code.name, eager->kernels()[i].name);
    EXPECT_EQ(code.width, eager->kernels()[i].width);
    EXPECT_EQ(code.sub_group_size, eager->kernels()[i].sub_group_size);
    EXPECT_TRUE(is_right(code)) << code.name;
  }
}

TEST(OpenModule, NativeBinaryOfAModuleOfManyKernelsIsWhole) {
  Compiler compiler(options_without_cache());
  const auto spirv = own_kernel("many");
  const ModulePtr lazy = compiler.open(request_for(spirv));
  lazy->prepare(3);
  const ModulePtr again = compiler.load_native(lazy->native_binary());
  ASSERT_EQ(again->kernels().size(), 16u);
  for (const KernelInfo& kernel : again->kernels()) EXPECT_TRUE(is_right(kernel)) << kernel.name;
}

// A plain module, one whose kernels are compiled in parts, one of lazy kernels, and a native binary offer the same.
TEST(OpenModule, ExportedFunctionsAreFoundByNameInEveryForm) {
  Compiler compiler(options_without_cache());
  const auto many = own_kernel("many");
  const ModulePtr whole = compiler.compile(request_for(many)), lazy = compiler.open(request_for(many));
  for (const ModulePtr& module : {whole, lazy, compiler.load_native(lazy->native_binary())}) {
    const auto function = reinterpret_cast<int (*)(int, int)>(module->function_address("shared_part"));
    ASSERT_NE(function, nullptr);
    EXPECT_EQ(function(6, 7), 6 * 7 + 1);
    EXPECT_EQ(module->function_address("shared_part"), reinterpret_cast<void*>(function));
    EXPECT_EQ(module->function_address("many3"), nullptr);
    EXPECT_EQ(module->function_address("no_such_function"), nullptr);
  }
  EXPECT_TRUE(is_right(*lazy->prepare(3).load()));
}

constexpr uint32_t EntryPoint = 15, Function = 54, FunctionCall = 57, Add = 128, Multiply = 132;

// Calls visit(opcode, the instruction's words) for each instruction of a function until it returns false.
template <class Visit> void visit_function(std::vector<uint32_t>& words, uint32_t function, Visit visit) {
  bool inside = false;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
    const uint32_t opcode = words[at] & 0xffff;
    if (opcode == Function) inside = words[at + 2] == function;
    if (inside && !visit(opcode, &words[at])) return;
  }
}

// The function that holds a kernel's code: the entry point, or what it calls; older producers wrap kernels so.
uint32_t body_of_kernel(std::vector<uint32_t>& words, const std::string& name) {
  uint32_t body = 0;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == EntryPoint && name == reinterpret_cast<const char*>(&words[at + 3]))
      body = words[at + 2];
  visit_function(words, body, [&](uint32_t opcode, const uint32_t* instruction) {
    if (opcode == FunctionCall) body = instruction[3];
    return opcode != FunctionCall;
  });
  return body;
}

// Spoils the first addition or multiplication of a kernel: its operand becomes a type.
std::vector<std::byte> with_damaged_kernel(std::vector<std::byte> spirv, const std::string& name) {
  std::vector<uint32_t> words = words_of(spirv);
  visit_function(words, body_of_kernel(words, name), [](uint32_t opcode, uint32_t* instruction) {
    if (opcode != Add && opcode != Multiply) return true;
    instruction[3] = instruction[1];
    return false;
  });
  std::memcpy(spirv.data(), words.data(), spirv.size());
  return spirv;
}

TEST(OpenModule, FaultOfOneKernelShowsWhenItIsAskedFor) {
  Compiler compiler(options_without_cache());
  const auto spirv = with_damaged_kernel(own_kernel("many"), "many7");
  EXPECT_THROW(compiler.compile(request_for(spirv)), CompileError);
  const ModulePtr module = compiler.open(request_for(spirv));
  size_t damaged = 0;
  while (module->kernels()[damaged].name != "many7") ++damaged;
  EXPECT_TRUE(is_right(*module->prepare((damaged + 8) % 16).load()));
  for (int again = 0; again < 2; ++again) {
    try {
      module->prepare(damaged);
      ADD_FAILURE() << "the kernel was compiled";
    } catch (const CompileError& error) {
      EXPECT_EQ(error.kind(), CompileError::Kind::BuildFailure);
      EXPECT_FALSE(error.log().empty());
    }
  }
}

TEST(OpenModule, ExtractedKernelsNeedNothingOfTheOthers) {
  const auto spirv = own_kernel("many");
  const spirv::KernelExtractor extractor(words_of(spirv), {});
  ASSERT_TRUE(extractor.is_divisible());
  const size_t wanted[] = {11, 4};
  const auto part = extractor.extract(wanted);
  EXPECT_LT(part.size(), words_of(spirv).size() / 2);
  const spirv::InspectResult seen = spirv::inspect(part);
  ASSERT_TRUE(seen.ok) << seen.log;
  ASSERT_EQ(seen.info.kernels.size(), 2u);
  EXPECT_EQ(seen.info.kernels[0].name, extractor.info().kernels[4].name);
  EXPECT_EQ(seen.info.kernels[1].name, extractor.info().kernels[11].name);
}

TEST(OpenModule, LazyKernelsComeFromTheCache) {
  const TemporaryFolder folder;
  const auto spirv = own_kernel("many");
  Compiler first(patient(options_with_cache(folder.path())));
  EXPECT_TRUE(is_right(*first.open(request_for(spirv))->prepare(5).load()));
  CompilerOptions options = options_with_cache(folder.path());
  options.time_limit = std::chrono::milliseconds(1); // nothing can be compiled
  Compiler second(options);
  EXPECT_TRUE(is_right(*second.open(request_for(spirv))->prepare(5).load()));
}

TEST(OpenModule, QuickCodeIsRight) {
  Compiler compiler(options_without_cache());
  const auto spirv = kernel_file("saxpy");
  CompileRequest request = request_for(spirv);
  request.quick = true;
  const ModulePtr quick = compiler.compile(request), best = compiler.compile(request_for(spirv));
  EXPECT_TRUE(saxpy_is_right(*quick));
  EXPECT_EQ(quick->kernels()[0].width, 1u);
  EXPECT_EQ(quick->kernels()[0].sub_group_size, best->kernels()[0].sub_group_size);
}

CompilerOptions impatient() {
  CompilerOptions options = options_without_cache();
  options.patience = std::chrono::milliseconds(1);
  options.processes = 2;
  return options;
}

TEST(OpenModule, QuickCodeGivesWayToTheBestWhileItRuns) {
  Compiler compiler(impatient());
  const auto spirv = kernel_file("saxpy");
  const ModulePtr module = compiler.open(request_for(spirv, "-zeroth-fault=slow"));
  const KernelSlot& slot = module->prepare(0);
  const KernelInfo* first = slot.load();
  ASSERT_EQ(first->width, 1u);
  std::atomic<bool> stop = false, right = true;
  std::thread launches([&] {
    while (!stop) right = right && saxpy_is_right(*module);
  });
  while (slot.load() == first) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  stop = true;
  launches.join();
  EXPECT_TRUE(right);
  EXPECT_GT(slot.load()->width, 1u);
  EXPECT_TRUE(saxpy_is_right(*module));
  EXPECT_EQ(compiler.load_native(module->native_binary())->kernels()[0].width, slot.load()->width);
}

TEST(OpenModule, GoesAwayWhileTheBestCodeIsStillOnItsWay) {
  Compiler compiler(impatient());
  const auto spirv = kernel_file("saxpy");
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(saxpy_is_right(*compiler.open(request_for(spirv, "-zeroth-fault=slow"))));
}

// Does the cache get this module within a minute, without anybody compiling it?
bool appears(const std::filesystem::path& folder, const CompileRequest& request) {
  CompilerOptions options = options_with_cache(folder);
  options.time_limit = std::chrono::milliseconds(1);
  Compiler compiler(options);
  for (int i = 0; i < 600; ++i) {
    try {
      return saxpy_is_right(*compiler.compile(request));
    } catch (const CompileError&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  return false;
}

CompilerOptions impatient_with_cache(const std::filesystem::path& folder) {
  CompilerOptions options = impatient();
  options.use_cache = true;
  options.cache_directory = folder.string();
  return options;
}

TEST(OpenModule, BestCodeOfAProgramThatEndsBeforeItIsThereForTheNextOne) {
  const TemporaryFolder folder;
  const auto spirv = kernel_file("saxpy");
  const CompileRequest request = request_for(spirv, "-zeroth-fault=slow");
  const pid_t child = fork();
  if (child == 0) {
    Compiler compiler(impatient_with_cache(folder.path()));
    const ModulePtr module = compiler.open(request);
    _exit(module->prepare(0).load()->width == 1 && saxpy_is_right(*module) ? 42 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 42);
  EXPECT_TRUE(appears(folder.path(), request));
}

TEST(OpenModule, BestCodeOfAModuleThatIsGoneStillReachesTheCache) {
  const TemporaryFolder folder;
  const auto spirv = kernel_file("saxpy");
  const CompileRequest request = request_for(spirv, "-zeroth-fault=slow");
  Compiler compiler(impatient_with_cache(folder.path()));
  EXPECT_EQ(compiler.open(request)->prepare(0).load()->width, 1u);
  EXPECT_TRUE(appears(folder.path(), request));
}

TEST(OpenModule, ForkedChildKeepsTheQuickCode) {
  Compiler compiler(impatient());
  const auto spirv = kernel_file("saxpy");
  ModulePtr module = compiler.open(request_for(spirv, "-zeroth-fault=slow"));
  const pid_t child = fork();
  if (child == 0) {
    const bool right = saxpy_is_right(*module) && !module->native_binary().empty();
    module.reset();
    _exit(right ? 42 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 42);
}

#if defined(ZEROTH_TEST_LIBRARY) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(InProcess, CompilesWithoutAnyProcess) {
  CompilerOptions options = options_without_cache();
  options.in_process = true;
  options.worker_path = "/nonexistent";
  setenv("ZEROTH_KERNELC_LIBRARY", ZEROTH_TEST_LIBRARY, 1);
  Compiler compiler(options);
  const auto spirv = kernel_file("saxpy");
  EXPECT_TRUE(saxpy_is_right(*compiler.compile(request_for(spirv))));
  EXPECT_TRUE(saxpy_is_right(*compiler.open(request_for(spirv))));
  const std::vector<std::byte> garbage(64, std::byte{0x5a});
  EXPECT_THROW(compiler.compile(request_for(garbage)), CompileError);
}
#endif

} // namespace
} // namespace zeroth::compiler
