// Runs of numbers whose lanes span as much as their type holds, or more: what follows from "the first one, and the
// stride" must not be taken for them.
#include "../testing/test_program.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

constexpr std::string_view Kernels = R"(
declare i64 @zeroth.global_id(i32)
declare i64 @zeroth.local_id(i32)

; v = (uchar)(g * 32); bytes[g] = v; out[g] = in[v]
define spir_kernel void @bytes(ptr addrspace(1) %out, ptr addrspace(1) %bytes, ptr addrspace(1) %in) {
  %g = call i64 @zeroth.global_id(i32 0)
  %w = shl i64 %g, 5
  %v = trunc i64 %w to i8
  %pb = getelementptr i8, ptr addrspace(1) %bytes, i64 %g
  store i8 %v, ptr addrspace(1) %pb
  %i = zext i8 %v to i64
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %word = load i32, ptr addrspace(1) %pi
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %word, ptr addrspace(1) %po
  ret void
}

; v = l << 28; words[g] = v; out[g] = (int)v < 0 ? l : 1000 + l
define spir_kernel void @signs(ptr addrspace(1) %out, ptr addrspace(1) %words) {
  %g = call i64 @zeroth.global_id(i32 0)
  %l = call i64 @zeroth.local_id(i32 0)
  %t = trunc i64 %l to i32
  %v = shl i32 %t, 28
  %pw = getelementptr i32, ptr addrspace(1) %words, i64 %g
  store i32 %v, ptr addrspace(1) %pw
  %negative = icmp slt i32 %v, 0
  %more = add i32 %t, 1000
  %chosen = select i1 %negative, i32 %t, i32 %more
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %chosen, ptr addrspace(1) %po
  ret void
}

; v = l * 0x30000001; words[g] = v; out[g] = (ulong)v
define spir_kernel void @products(ptr addrspace(1) %out, ptr addrspace(1) %words) {
  %g = call i64 @zeroth.global_id(i32 0)
  %l = call i64 @zeroth.local_id(i32 0)
  %t = trunc i64 %l to i32
  %v = mul i32 %t, 805306369
  %pw = getelementptr i32, ptr addrspace(1) %words, i64 %g
  store i32 %v, ptr addrspace(1) %pw
  %wide = zext i32 %v to i64
  %po = getelementptr i64, ptr addrspace(1) %out, i64 %g
  store i64 %wide, ptr addrspace(1) %po
  ret void
}

; h = g * 100000007; if (h < n) out[g] = h + 1
define spir_kernel void @hashed(ptr addrspace(1) %out, i32 %n) {
  %g = call i64 @zeroth.global_id(i32 0)
  %t = trunc i64 %g to i32
  %h = mul i32 %t, 100000007
  %outside = icmp uge i32 %h, %n
  br i1 %outside, label %end, label %inside
inside:
  %v = add i32 %h, 1
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %v, ptr addrspace(1) %po
  br label %end
end:
  ret void
}

; if (10 <= l && l <= 15) words[g] = v = (15 - l) * 0x20000001, out[g] = (ulong)v: promised for these alone
define spir_kernel void @unsigned_promise(ptr addrspace(1) %out, ptr addrspace(1) %words) {
  %g = call i64 @zeroth.global_id(i32 0)
  %l = call i64 @zeroth.local_id(i32 0)
  %t = trunc i64 %l to i32
  %from = sub i32 %t, 10
  %some = icmp ult i32 %from, 6
  br i1 %some, label %inside, label %end
inside:
  %d = sub nuw i32 15, %t
  %v = mul nuw i32 %d, 536870913
  %pw = getelementptr i32, ptr addrspace(1) %words, i64 %g
  store i32 %v, ptr addrspace(1) %pw
  %wide = zext i32 %v to i64
  %po = getelementptr i64, ptr addrspace(1) %out, i64 %g
  store i64 %wide, ptr addrspace(1) %po
  br label %end
end:
  ret void
}

; if (13 <= l && l < 40) words[g] = v = (l - u) * 0x06000001, out[g] = (long)v
define spir_kernel void @signed_promise(ptr addrspace(1) %out, ptr addrspace(1) %words, i32 %u) {
  %g = call i64 @zeroth.global_id(i32 0)
  %l = call i64 @zeroth.local_id(i32 0)
  %t = trunc i64 %l to i32
  %from = sub i32 %t, 13
  %some = icmp ult i32 %from, 27
  br i1 %some, label %inside, label %end
inside:
  %d = sub nsw i32 %t, %u
  %v = mul nsw i32 %d, 100663297
  %pw = getelementptr i32, ptr addrspace(1) %words, i64 %g
  store i32 %v, ptr addrspace(1) %pw
  %wide = sext i32 %v to i64
  %po = getelementptr i64, ptr addrspace(1) %out, i64 %g
  store i64 %wide, ptr addrspace(1) %po
  br label %end
end:
  ret void
}

; out[g] = (13 <= l && l < 40) ? (long)((l - u) * 0x06000001) + g : 7: promised for these alone, and computed by all
define spir_kernel void @speculated_promise(ptr addrspace(1) %out, ptr addrspace(1) %words, i32 %u) {
  %g = call i64 @zeroth.global_id(i32 0)
  %l = call i64 @zeroth.local_id(i32 0)
  %t = trunc i64 %l to i32
  %from = sub i32 %t, 13
  %some = icmp ult i32 %from, 27
  %d = sub nsw i32 %t, %u
  %v = mul nsw i32 %d, 100663297
  %wide = sext i32 %v to i64
  %sum = add i64 %wide, %g
  %chosen = select i1 %some, i64 %sum, i64 7
  %po = getelementptr i64, ptr addrspace(1) %out, i64 %g
  store i64 %chosen, ptr addrspace(1) %po
  ret void
}

; for (i = g * 300000007; i < n; i += m) s = s * 3 + i; out[g] = s
define spir_kernel void @hashed_loop(ptr addrspace(1) %out, i32 %n, i32 %m) {
entry:
  %g = call i64 @zeroth.global_id(i32 0)
  %t = trunc i64 %g to i32
  %h = mul i32 %t, 300000007
  %enters = icmp ult i32 %h, %n
  br i1 %enters, label %loop, label %end
loop:
  %i = phi i32 [ %h, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %sum, %loop ]
  %triple = mul i32 %s, 3
  %sum = add i32 %triple, %i
  %next = add i32 %i, %m
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %result = phi i32 [ 0, %entry ], [ %sum, %loop ]
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %result, ptr addrspace(1) %po
  ret void
}
)";

constexpr uint32_t Items = 192;

class WrappingRuns : public ::testing::TestWithParam<std::tuple<int, int>> {
protected:
  WrappingRuns() {
    CompileOptions options;
    options.width = uint32_t(std::get<0>(GetParam()));
    program_ = Program::from_text(Kernels, options);
  }
  uint32_t group_size() const { return uint32_t(std::get<1>(GetParam())); }
  void run(std::string_view kernel, const Arguments& arguments) {
    program_->run(kernel, arguments, {{group_size(), 1, 1}, {Items / group_size(), 1, 1}});
  }

  std::unique_ptr<Program> program_;
  std::vector<uint32_t> out_ = std::vector<uint32_t>(Items), words_ = std::vector<uint32_t>(Items);
  std::vector<int64_t> wide_ = std::vector<int64_t>(Items);
};

TEST_P(WrappingRuns, IndicesInBytesComeRound) {
  std::vector<uint8_t> bytes(Items);
  std::vector<uint32_t> in(256);
  for (uint32_t i = 0; i < in.size(); ++i) in[i] = i * i + 1;
  run("bytes", Arguments().buffer(out_).buffer(bytes).buffer(in));
  for (uint32_t g = 0; g < Items; ++g) ASSERT_EQ(out_[g], in[uint8_t(g * 32)]) << g;
}

TEST_P(WrappingRuns, SignsChangeWithinASlice) {
  run("signs", Arguments().buffer(out_).buffer(words_));
  for (uint32_t g = 0; g < Items; ++g) {
    const uint32_t l = g % group_size();
    ASSERT_EQ(out_[g], int32_t(l << 28) < 0 ? l : 1000 + l) << g;
  }
}

TEST_P(WrappingRuns, ProductsAreExtendedAfterTheyHaveWrapped) {
  run("products", Arguments().buffer(wide_).buffer(words_));
  for (uint32_t g = 0; g < Items; ++g) ASSERT_EQ(wide_[g], int64_t(g % group_size() * 0x30000001u)) << g;
}

TEST_P(WrappingRuns, PromisesOfSomeAreNoneOfTheFirst) {
  run("unsigned_promise", Arguments().buffer(wide_).buffer(words_));
  for (uint32_t g = 0; g < Items; ++g) {
    const uint32_t l = g % group_size();
    ASSERT_EQ(wide_[g], l >= 10 && l <= 15 ? int64_t((15 - l) * 0x20000001u) : 0) << g;
  }
  const int32_t u = 30;
  std::fill(wide_.begin(), wide_.end(), 0);
  run("signed_promise", Arguments().buffer(wide_).buffer(words_).value(u));
  for (uint32_t g = 0; g < Items; ++g) {
    const int32_t l = int32_t(g % group_size());
    ASSERT_EQ(wide_[g], l >= 13 && l < 40 ? (l - u) * 0x06000001 : 0) << g;
  }
  run("speculated_promise", Arguments().buffer(wide_).buffer(words_).value(u));
  for (uint32_t g = 0; g < Items; ++g) {
    const int32_t l = int32_t(g % group_size());
    ASSERT_EQ(wide_[g], l >= 13 && l < 40 ? (l - u) * 0x06000001 + int64_t(g) : 7) << g;
  }
}

TEST_P(WrappingRuns, WorkItemsBehindABoundStayThere) {
  const uint32_t bound = 3000000000u;
  run("hashed", Arguments().buffer(out_).value(bound));
  for (uint32_t g = 0; g < Items; ++g) {
    const uint32_t h = g * 100000007u;
    ASSERT_EQ(out_[g], h < bound ? h + 1 : 0) << g;
  }
}

TEST_P(WrappingRuns, LoopsBeginForThoseInsideOnly) {
  const uint32_t bound = 2000000000u, step = 20000000u;
  run("hashed_loop", Arguments().buffer(out_).value(bound).value(step));
  for (uint32_t g = 0; g < Items; ++g) {
    uint32_t sum = 0;
    for (uint32_t i = g * 300000007u; i < bound; i += step) sum = sum * 3 + i;
    ASSERT_EQ(out_[g], sum) << g;
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, WrappingRuns,
                         ::testing::Combine(::testing::Values(0, 1, 4, 16, 64), ::testing::Values(64, 48)));

} // namespace
} // namespace zeroth::codegen::testing
