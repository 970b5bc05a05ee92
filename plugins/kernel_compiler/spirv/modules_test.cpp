// One module per extension and per trait of producers (modules/): what reads, what it becomes, what is refused and how.
#include "reader.hpp"
#include "test_modules.hpp"

#include <gmock/gmock.h>

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

namespace zeroth::spirv {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Outcome {
  llvm::LLVMContext context;
  ReadResult result;
  explicit Outcome(const std::string& name, const ReadOptions& options = {})
      : result(read_spirv(test::read_words(test::module_file(name)), options, context)) {}
  std::string text() const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    if (result.ok()) result.module->print(stream, nullptr);
    return text;
  }
};

TEST(Modules, RefusedOnesNameTheReasonTheInstructionAndItsOffset) {
  EXPECT_THAT(Outcome("unknown_extension_refused").result.log,
              HasSubstr("extension SPV_VENDOR_unheard_of is not supported (OpExtension at word "));
  EXPECT_THAT(Outcome("unknown_capability_refused").result.log,
              HasSubstr("capability 65000 is not known (OpCapability at word "));
  EXPECT_THAT(Outcome("inline_assembly_refused").result.log, HasSubstr("capability AsmINTEL is not supported"));
  EXPECT_THAT(Outcome("recursion_refused").result.log, HasSubstr("recursion is not supported"));
  EXPECT_THAT(Outcome("huge_array_refused").result.log, HasSubstr("2147483648 bytes is too large"));
}

TEST(Modules, LengthsOfArraysMayBeMadeByAllOperationsOfConstants) {
  const Outcome lengths("array_lengths");
  EXPECT_TRUE(lengths.result.ok()) << lengths.result.log;
  for (int length : {11, 23, 14, 17, 41, 51, 53, 56})
    EXPECT_THAT(lengths.text(), HasSubstr("alloca [" + std::to_string(length) + " x i32]"));
}

TEST(Modules, SpecialisationConstantsTakeTheValuesGiven) {
  const InspectResult seen = inspect(test::read_words(test::module_file("spec_constants")));
  ASSERT_TRUE(seen.ok) << seen.log;
  ASSERT_EQ(seen.info.spec_constants.size(), 3u);
  EXPECT_EQ(seen.info.spec_constants[0].id, 10u);
  EXPECT_EQ(seen.info.spec_constants[0].size, 4u);
  EXPECT_EQ(seen.info.spec_constants[0].name, "extent");
  EXPECT_EQ(seen.info.spec_constants[1].size, 1u);
  EXPECT_EQ(seen.info.spec_constants[2].size, 8u);

  EXPECT_THAT(Outcome("spec_constants").text(), HasSubstr("alloca [7 x i32]")); // 5 + 2
  EXPECT_THAT(Outcome("spec_constants").text(), HasSubstr("store i32 12,"));    // 5 + 7
  ReadOptions options;
  options.spec_constants = {{10, 100}};
  EXPECT_THAT(Outcome("spec_constants", options).text(), HasSubstr("alloca [102 x i32]"));
  options.spec_constants = {{10, 100}, {11, 0}};
  EXPECT_THAT(Outcome("spec_constants", options).text(), HasSubstr("store i32 7,"));
  options.spec_constants = {{10, 0xFFFFFFFD}}; // an array of no finite size
  EXPECT_FALSE(Outcome("spec_constants", options).result.ok());
}

TEST(Modules, LeakedIntrinsicsAndLibraryFunctionsAreNotImports) {
  EXPECT_THAT(Outcome("leaked_intrinsic").text(), HasSubstr("call i32 @llvm.usub.sat.i32("));
  EXPECT_TRUE(Outcome("leaked_intrinsic").result.info.imports.empty());
  const Outcome library("library.O2");
  ASSERT_TRUE(library.result.ok()) << library.result.log;
  for (const Symbol& import : library.result.info.imports) ADD_FAILURE() << import.name;
  EXPECT_THAT(Outcome("histogram.O2").text(), HasSubstr("atomicrmw add ptr addrspace(3)"));
  EXPECT_THAT(Outcome("subgroup_reduce.O2").text(), HasSubstr("@zeroth.barrier(i32 3, i32 "));
}

// LLVM takes it that a call leaves alone what only a restrict argument reaches; neighbours' writes must show all the
// same.
TEST(Modules, BarriersAreFencesForWhatRestrictPointersReach) {
  const std::string text = Outcome("subgroup_reduce.O2").text();
  size_t barriers = 0;
  for (size_t at = text.find("@zeroth.barrier(i32 3"); at != std::string::npos;
       at = text.find("@zeroth.barrier(i32 3", at + 1), ++barriers) {
    const size_t line = text.rfind('\n', at), before = text.rfind('\n', line - 1);
    EXPECT_THAT(text.substr(before, line - before), HasSubstr("fence syncscope(\"singlethread\")"));
  }
  EXPECT_GT(barriers, 0u);
}

TEST(Modules, SourceLinesBecomeDebugLocations) {
  const Outcome outcome("debug_lines");
  ASSERT_TRUE(outcome.result.ok()) << outcome.result.log;
  EXPECT_EQ(outcome.result.log, "");
  const llvm::Function* kernel = outcome.result.module->getFunction("debug_lines");
  ASSERT_TRUE(kernel && kernel->getSubprogram());
  EXPECT_EQ(kernel->getSubprogram()->getFilename(), "debug_lines.cl");
  unsigned line_of_store = 0;
  for (const llvm::BasicBlock& block : *kernel)
    for (const llvm::Instruction& inst : block)
      if (llvm::isa<llvm::StoreInst>(inst)) line_of_store = inst.getDebugLoc().getLine();
  EXPECT_EQ(line_of_store, 13u);
  ReadOptions options;
  options.debug_info = false;
  EXPECT_FALSE(Outcome("debug_lines", options).result.module->getFunction("debug_lines")->getSubprogram());
}

// Line, column and name of the scope of every instruction of a kind.
template <class Kind> std::vector<std::string> places(const llvm::Function& function) {
  std::vector<std::string> list;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& inst : block)
      if (llvm::isa<Kind>(inst) && inst.getDebugLoc())
        list.push_back(std::to_string(inst.getDebugLoc().getLine()) + ":" +
                       std::to_string(inst.getDebugLoc().getCol()) + " " +
                       inst.getDebugLoc()->getScope()->getSubprogram()->getName().str());
  return list;
}

TEST(Modules, DescriptionsOfFunctionsBlocksAndVariablesBecomeDebugInformation) {
  const Outcome outcome("debug_opencl");
  ASSERT_TRUE(outcome.result.ok()) << outcome.result.log;
  EXPECT_EQ(outcome.result.log, "");
  const llvm::Function* kernel = outcome.result.module->getFunction("debug_opencl");
  ASSERT_TRUE(kernel && kernel->getSubprogram());
  EXPECT_EQ(kernel->getSubprogram()->getLine(), 10u);
  EXPECT_THAT(places<llvm::LoadInst>(*kernel), testing::ElementsAre("13:5 debug_opencl"));
  EXPECT_THAT(places<llvm::BinaryOperator>(*kernel), testing::ElementsAre("6:10 add_one")); // inlined at line 14
  EXPECT_THAT(places<llvm::StoreInst>(*kernel), testing::ElementsAre("15:5 debug_opencl", "15:5 debug_opencl"));
  EXPECT_THAT(outcome.text(), HasSubstr("!DILocalVariable(name: \"sum\""));
  EXPECT_THAT(outcome.text(), HasSubstr("!DICompositeType(tag: DW_TAG_structure_type, name: \"Node\""));

  const Outcome shader("debug_shader");
  ASSERT_TRUE(shader.result.ok()) << shader.result.log;
  const llvm::Function* other = shader.result.module->getFunction("debug_shader");
  ASSERT_TRUE(other && other->getSubprogram());
  EXPECT_EQ(other->getSubprogram()->getLine(), 20u);
  EXPECT_THAT(places<llvm::LoadInst>(*other), testing::ElementsAre("21:5 debug_shader"));
}

TEST(Modules, DecorationsBecomeFlags) {
  EXPECT_THAT(Outcome("no_integer_wrap").text(), HasSubstr("add nuw nsw i32"));
  EXPECT_THAT(Outcome("fast_math").text(), HasSubstr("fadd fast float"));
  EXPECT_THAT(Outcome("memory_access_aliasing").text(), HasSubstr("!alias.scope"));
  EXPECT_THAT(Outcome("arbitrary_precision_integers").text(), HasSubstr("mul i13"));
  EXPECT_EQ(Outcome("kernel_attributes").result.info.kernels.at(0).required_sub_group_size, 16u);
}

TEST(Modules, ExportsAreNamed) {
  const Outcome outcome("linkonce_odr");
  ASSERT_EQ(outcome.result.info.exports.size(), 1u);
  EXPECT_EQ(outcome.result.info.exports[0].name, "twice");
  EXPECT_TRUE(outcome.result.info.exports[0].is_function);
  const Outcome variable("global_variable_host_access");
  ASSERT_EQ(variable.result.info.exports.size(), 1u);
  EXPECT_EQ(variable.result.info.exports[0].size, 4u);
}

} // namespace
} // namespace zeroth::spirv
