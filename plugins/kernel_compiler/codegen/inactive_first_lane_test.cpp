// What an instruction promises of its operands (no wrapping, disjoint bits, not negative) holds for the work-items that
// execute it. Addresses and indices of a slice are computed for its first work-item, which may not be one of them.
#include "testing/test_program.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

constexpr std::string_view Kernels = R"(
declare i64 @zeroth.global_id(i32)

; if g is even: out[g] = (g + 1) ^ n, as LLVM writes it: the lowest bit is known to be clear
define spir_kernel void @next_of_even(ptr addrspace(1) %out, i32 %n) {
  %g = call i64 @zeroth.global_id(i32 0)
  %t = trunc i64 %g to i32
  %bit = and i32 %t, 1
  %even = icmp eq i32 %bit, 0
  br i1 %even, label %then, label %end
then:
  %next = or disjoint i32 %t, 1
  %r = xor i32 %next, %n
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %r, ptr addrspace(1) %po
  br label %end
end:
  ret void
}

; if g >= 5: out[g] = in[g - 5], the index of a signed type
define spir_kernel void @five_before(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %g = call i64 @zeroth.global_id(i32 0)
  %t = trunc i64 %g to i32
  %inside = icmp sge i32 %t, 5
  br i1 %inside, label %then, label %end
then:
  %i = add nsw i32 %t, -5
  %il = zext nneg i32 %i to i64
  %pi = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %il
  %r = load i32, ptr addrspace(1) %pi
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %r, ptr addrspace(1) %po
  br label %end
end:
  ret void
}

; the same of an unsigned type
define spir_kernel void @five_before_unsigned(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %g = call i64 @zeroth.global_id(i32 0)
  %t = trunc i64 %g to i32
  %inside = icmp uge i32 %t, 5
  br i1 %inside, label %then, label %end
then:
  %i = sub nuw i32 %t, 5
  %il = zext i32 %i to i64
  %pi = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %il
  %r = load i32, ptr addrspace(1) %pi
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %r, ptr addrspace(1) %po
  br label %end
end:
  ret void
})";

constexpr int Items = 192;

class InactiveFirstLane : public ::testing::TestWithParam<std::tuple<uint32_t, uint32_t, uint64_t>> {
protected:
  // Slices begin at work-items of every kind.
  void run(std::string_view kernel, const Arguments& arguments) {
    const auto [width, size, offset] = GetParam();
    CompileOptions options;
    options.width = width;
    auto program = Program::from_text(Kernels, options);
    Launch launch{{size, 1, 1}, {Items / size, 1, 1}};
    launch.offset[0] = offset;
    program->run(kernel, arguments, launch);
  }
  static int first() { return int(std::get<2>(GetParam())); }
};

TEST_P(InactiveFirstLane, DoesNotSpoilDisjointBits) {
  std::vector<int> out(first() + Items), expected(out.size());
  for (int g = first(); g < first() + Items; ++g) expected[g] = g % 2 == 0 ? (g + 1) ^ 12 : 0;
  run("next_of_even", Arguments().buffer(out).value(12));
  EXPECT_EQ(out, expected);
}

TEST_P(InactiveFirstLane, MayLieBeforeTheData) {
  std::vector<int> in(first() + Items);
  std::iota(in.begin(), in.end(), 1000);
  for (const char* kernel : {"five_before", "five_before_unsigned"}) {
    std::vector<int> out(in.size()), expected(in.size());
    for (int g = first(); g < first() + Items; ++g) expected[g] = g >= 5 ? in[g - 5] : 0;
    run(kernel, Arguments().buffer(in).buffer(out));
    EXPECT_EQ(out, expected) << kernel;
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, InactiveFirstLane,
                         ::testing::Combine(::testing::Values(0, 1, 4, 16, 64), ::testing::Values(64, 48, 3),
                                            ::testing::Values(0, 1, 3)));

} // namespace
} // namespace zeroth::codegen::testing
