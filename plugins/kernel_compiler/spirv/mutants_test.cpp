// Broken modules end in an error with a text, or in a module that LLVM accepts; never in a crash.
#include "mutator.hpp"
#include "reader.hpp"
#include "test_modules.hpp"

#include <gtest/gtest.h>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace zeroth::spirv {
namespace {

TEST(Mutants, AreRefusedWithATextOrStayValid) {
  const auto files = test::module_files();
  ASSERT_FALSE(files.empty());
  size_t refused = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const std::vector<uint32_t> words = test::Mutator(seed).mutate(test::read_words(files[seed % files.size()]));
    llvm::LLVMContext context;
    const ReadResult result = read_spirv(words, {}, context);
    if (result.ok()) continue;
    ++refused;
    EXPECT_NE(result.log.find("error: "), std::string::npos) << "seed " << seed;
  }
  EXPECT_GT(refused, 500u);
}

TEST(Mutants, EveryTruncationIsRefusedOrValid) {
  const std::vector<uint32_t> words = test::read_words(test::module_file("saxpy.O2"));
  for (size_t length = 0; length < words.size(); ++length) {
    llvm::LLVMContext context;
    const ReadResult result = read_spirv(std::span(words).first(length), {}, context);
    EXPECT_TRUE(result.ok() || !result.log.empty()) << length;
  }
}

TEST(Mutants, AGoodModuleReadsAfterABadOneInTheSameContext) {
  const std::vector<uint32_t> words = test::read_words(test::module_file("sgemm_tiled.O2"));
  llvm::LLVMContext context;
  EXPECT_FALSE(read_spirv(std::span(words).first(words.size() - 3), {}, context).ok());
  EXPECT_TRUE(read_spirv(words, {}, context).ok());
}

} // namespace
} // namespace zeroth::spirv
