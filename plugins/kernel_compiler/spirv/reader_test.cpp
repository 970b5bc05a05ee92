#include "reader.hpp"

#include "../dialect.hpp"
#include "test_modules.hpp"

#include <gmock/gmock.h>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

namespace zeroth::spirv {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string text_of(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

struct Reading {
  llvm::LLVMContext context;
  ReadResult result;
  explicit Reading(const std::string& name, const ReadOptions& options = {})
      : result(read_spirv(test::read_words(test::module_file(name)), options, context)) {}
  llvm::Function* kernel(const char* name) { return result.ok() ? result.module->getFunction(name) : nullptr; }
};

TEST(Reader, EveryTestModuleBecomesAVerifiedModule) {
  const auto files = test::module_files();
  ASSERT_GT(files.size(), 80u);
  for (const auto& file : files) {
    llvm::LLVMContext context;
    const ReadResult result = read_spirv(test::read_words(file), {}, context);
    const bool refused = file.stem().string().ends_with("_refused");
    EXPECT_EQ(result.ok(), !refused) << file << ": " << result.log;
  }
}

TEST(Reader, KernelsHaveTheirConventionNameAndArguments) {
  Reading reading("sgemm_reg.O2");
  llvm::Function* kernel = reading.kernel("sgemm_reg");
  ASSERT_TRUE(kernel) << reading.result.log;
  EXPECT_EQ(kernel->getCallingConv(), llvm::CallingConv::SPIR_KERNEL);
  EXPECT_TRUE(kernel->getMetadata(dialect::Arguments.data()));
  const Kernel& info = reading.result.info.kernels.at(0);
  ASSERT_EQ(info.arguments.size(), 6u);
  EXPECT_EQ(info.arguments[0].kind, Argument::Kind::Pointer);
  EXPECT_EQ(info.arguments[0].address_space, dialect::Global);
  EXPECT_EQ(info.arguments[5].kind, Argument::Kind::Value);
  EXPECT_EQ(info.arguments[5].offset, 32u);
  EXPECT_EQ(info.argument_block_size, 36u);
  EXPECT_EQ(info.required_group_size, (std::array<uint32_t, 3>{64, 8, 1}));
  EXPECT_EQ(info.attributes, "reqd_work_group_size(64,8,1)");
}

TEST(Reader, StructuresByValueKeepTheirSizeAndAlignment) {
  Reading reading("generic_atom.plain");
  llvm::Function* kernel = reading.kernel("generic_atom");
  ASSERT_TRUE(kernel) << reading.result.log;
  EXPECT_TRUE(kernel->getParamByValType(4));
  const Argument& argument = reading.result.info.kernels.at(0).arguments.at(4);
  EXPECT_EQ(argument.kind, Argument::Kind::Value);
  EXPECT_EQ(argument.size, 48u);
  EXPECT_EQ(argument.alignment, 16u);
  EXPECT_EQ(argument.offset % 16, 0u);
  EXPECT_EQ(reading.result.info.kernels.at(0).arguments.at(1).kind, Argument::Kind::Local);
}

TEST(Reader, OnlyTheKernelsAskedForAreBuilt) {
  ReadOptions options;
  options.kernels = {"sgscan"};
  options.exports = false;
  Reading reading("sgred.O2", options);
  EXPECT_TRUE(reading.kernel("sgscan"));
  EXPECT_FALSE(reading.kernel("sgred"));
  EXPECT_EQ(reading.result.info.kernels.size(), 2u);
  options.kernels = {"absent"};
  Reading failing("sgred.O2", options);
  EXPECT_FALSE(failing.result.ok());
  EXPECT_THAT(failing.result.log, HasSubstr("no kernel named absent"));
}

TEST(Reader, GroupOperationsArePrimitivesOfTheDialect) {
  Reading reading("subgroup_reduce.O2");
  ASSERT_TRUE(reading.result.ok()) << reading.result.log;
  const std::string text = text_of(*reading.result.module);
  EXPECT_THAT(text, HasSubstr("@zeroth.sub_group.reduce_add.f32(float"));
  EXPECT_THAT(text, HasSubstr("@zeroth.sub_group.scan_inclusive_smax.i32(i32"));
  EXPECT_THAT(text, HasSubstr("@zeroth.sub_group.broadcast.i32(i32"));
  EXPECT_THAT(text, HasSubstr("@zeroth.work_group.reduce_add.f32(float"));
}

TEST(Reader, IntegerDivisionCannotTrap) {
  Reading reading("ctlflow.O2");
  ASSERT_TRUE(reading.result.ok()) << reading.result.log;
  for (const llvm::Function& function : *reading.result.module)
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& inst : block)
        if (inst.getOpcode() == llvm::Instruction::SDiv || inst.getOpcode() == llvm::Instruction::UDiv) {
          EXPECT_TRUE(llvm::isa<llvm::Constant>(inst.getOperand(1)) || llvm::isa<llvm::SelectInst>(inst.getOperand(1)));
        }
}

TEST(Reader, SaysWhatIsWrongWithSomethingThatIsNoModule) {
  llvm::LLVMContext context;
  EXPECT_THAT(read_spirv({}, {}, context).log, HasSubstr("shorter than a SPIR-V header"));
  const std::vector<uint32_t> noise(100, 0xDEADBEEF);
  EXPECT_THAT(read_spirv(noise, {}, context).log, HasSubstr("magic number"));
}

TEST(Reader, AHeaderAloneIsNoModule) {
  std::vector<uint32_t> words = test::read_words(test::module_file("saxpy.O2"));
  words.resize(5);
  llvm::LLVMContext context;
  EXPECT_THAT(read_spirv(words, {}, context).log, HasSubstr("no OpMemoryModel"));
  EXPECT_FALSE(inspect(words).ok);
}

TEST(Reader, AModuleInTheOtherByteOrderIsTheSame) {
  std::vector<uint32_t> words = test::read_words(test::module_file("saxpy.O2"));
  for (uint32_t& word : words) word = __builtin_bswap32(word);
  llvm::LLVMContext context;
  EXPECT_TRUE(read_spirv(words, {}, context).ok());
}

TEST(Inspect, TellsTheSameAsReading) {
  for (const auto& file : test::module_files()) {
    const std::vector<uint32_t> words = test::read_words(file);
    llvm::LLVMContext context;
    const ReadResult read = read_spirv(words, {}, context);
    const InspectResult seen = inspect(words);
    if (!read.ok()) continue;
    ASSERT_TRUE(seen.ok) << file << seen.log;
    ASSERT_EQ(seen.info.kernels.size(), read.info.kernels.size());
    for (size_t i = 0; i < seen.info.kernels.size(); ++i) {
      EXPECT_EQ(seen.info.kernels[i].name, read.info.kernels[i].name);
      EXPECT_EQ(seen.info.kernels[i].argument_block_size, read.info.kernels[i].argument_block_size);
    }
  }
}

} // namespace
} // namespace zeroth::spirv
