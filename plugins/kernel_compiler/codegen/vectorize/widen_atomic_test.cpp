// Atomics at places that differ between work-items, of which several may meet in one slice.
#include "../testing/test_program.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

constexpr std::string_view Kernels = R"(
declare i64 @zeroth.global_id(i32)

define spir_kernel void @count(ptr addrspace(1) %keys, ptr addrspace(1) %table) {
  %i = call i64 @zeroth.global_id(i32 0)
  %pk = getelementptr i32, ptr addrspace(1) %keys, i64 %i
  %key = load i32, ptr addrspace(1) %pk
  %k = zext i32 %key to i64
  %p = getelementptr i32, ptr addrspace(1) %table, i64 %k
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  ret void
}

; each takes the number of those that came before it
define spir_kernel void @rank(ptr addrspace(1) %keys, ptr addrspace(1) %table, ptr addrspace(1) %ranks) {
  %i = call i64 @zeroth.global_id(i32 0)
  %pk = getelementptr i32, ptr addrspace(1) %keys, i64 %i
  %key = load i32, ptr addrspace(1) %pk
  %k = zext i32 %key to i64
  %p = getelementptr i64, ptr addrspace(1) %table, i64 %k
  %old = atomicrmw add ptr addrspace(1) %p, i64 1 seq_cst
  %pr = getelementptr i64, ptr addrspace(1) %ranks, i64 %i
  store i64 %old, ptr addrspace(1) %pr
  ret void
})";

class WidenAtomic : public ::testing::TestWithParam<uint32_t> {
protected:
  static constexpr uint32_t Items = 512, Keys = 7;

  std::unique_ptr<Program> compile() const {
    CompileOptions options;
    options.width = GetParam();
    return Program::from_text(Kernels, options);
  }
  static std::vector<uint32_t> keys() {
    std::vector<uint32_t> keys(Items);
    for (uint32_t i = 0; i < Items; ++i) keys[i] = i * i % Keys;
    return keys;
  }
};

TEST_P(WidenAtomic, EveryWorkItemCountsAtItsPlace) {
  auto program = compile();
  for (uint32_t size : {128u, 50u, 1u}) {
    std::vector<uint32_t> in = keys(), table(Keys), expected(Keys);
    for (uint32_t i = 0; i < Items / size * size; ++i) ++expected[in[i]];
    program->run("count", Arguments().buffer(in).buffer(table), {{size, 1, 1}, {Items / size, 1, 1}});
    EXPECT_EQ(table, expected) << size;
  }
}

TEST_P(WidenAtomic, EachGetsAnotherOfTheOldValuesOfItsPlace) {
  auto program = compile();
  std::vector<uint32_t> in = keys();
  std::vector<uint64_t> table(Keys), ranks(Items, 99999);
  program->run("rank", Arguments().buffer(in).buffer(table).buffer(ranks), {{128, 1, 1}, {Items / 128, 1, 1}});
  std::vector<std::vector<uint64_t>> of(Keys);
  for (uint32_t i = 0; i < Items; ++i) of[in[i]].push_back(ranks[i]);
  for (uint32_t key = 0; key < Keys; ++key) {
    std::sort(of[key].begin(), of[key].end());
    for (uint64_t n = 0; n < of[key].size(); ++n) ASSERT_EQ(of[key][n], n) << "key " << key;
    EXPECT_EQ(table[key], of[key].size());
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, WidenAtomic, ::testing::Values(0, 1, 4, 16, 32, 64));

} // namespace
} // namespace zeroth::codegen::testing
