// Kernels that are one loop of strides and nothing else: every number is visited once, by whom it belongs to.
#include "../testing/test_program.hpp"

#include <functional>

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

constexpr std::string_view Kernels = R"(
declare i64 @zeroth.global_id(i32)
declare i64 @zeroth.global_size(i32)

; for (uint i = id + d; i < n; i += size) out[i] = 3 out[i] + i
define spir_kernel void @narrow(ptr addrspace(1) %out, i32 %d, i32 %n) {
  %g = call i64 @zeroth.global_id(i32 0)
  %s = call i64 @zeroth.global_size(i32 0)
  %id = trunc i64 %g to i32
  %size = trunc i64 %s to i32
  %first = add i32 %id, %d
  %some = icmp ult i32 %first, %n
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %il = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %il
  %v = load i32, ptr addrspace(1) %p
  %v3 = mul i32 %v, 3
  %w = add i32 %v3, %i
  store i32 %w, ptr addrspace(1) %p
  %next = add i32 %i, %size
  %goes.on = icmp ult i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}

; the same in 64 bits with a sign, with a branch inside
define spir_kernel void @wide(ptr addrspace(1) %out, i32 %d, i32 %n) {
  %g = call i64 @zeroth.global_id(i32 0)
  %size = call i64 @zeroth.global_size(i32 0)
  %dl = zext i32 %d to i64
  %nl = zext i32 %n to i64
  %first = add i64 %g, %dl
  %some = icmp slt i64 %first, %nl
  br i1 %some, label %loop, label %end
loop:
  %i = phi i64 [ %first, %0 ], [ %next, %go.on ]
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  %v = load i32, ptr addrspace(1) %p
  %odd = trunc i32 %v to i1
  br i1 %odd, label %change, label %go.on
change:
  %in = trunc i64 %i to i32
  %v3 = mul i32 %v, 3
  %w = add i32 %v3, %in
  store i32 %w, ptr addrspace(1) %p
  br label %go.on
go.on:
  %next = add i64 %i, %size
  %goes.on = icmp slt i64 %next, %nl
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}

; for (i = id + d; i < n; i += size) out[i] = id: who comes by can be seen
define spir_kernel void @signs(ptr addrspace(1) %out, i32 %d, i32 %n) {
  %g = call i64 @zeroth.global_id(i32 0)
  %s = call i64 @zeroth.global_size(i32 0)
  %id = trunc i64 %g to i32
  %size = trunc i64 %s to i32
  %first = add i32 %id, %d
  %some = icmp ult i32 %first, %n
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %il = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %il
  store i32 %id, ptr addrspace(1) %p
  %next = add i32 %i, %size
  %goes.on = icmp ult i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}

; i = id + d; if (i < n / 2) do out[i] += 5; while ((i += size) < n): begins for another reason than it goes on for
define spir_kernel void @halfway(ptr addrspace(1) %out, i32 %d, i32 %n) {
  %g = call i64 @zeroth.global_id(i32 0)
  %s = call i64 @zeroth.global_size(i32 0)
  %id = trunc i64 %g to i32
  %size = trunc i64 %s to i32
  %first = add i32 %id, %d
  %half = lshr i32 %n, 1
  %some = icmp ult i32 %first, %half
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %il = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %il
  %v = load i32, ptr addrspace(1) %p
  %w = add i32 %v, 5
  store i32 %w, ptr addrspace(1) %p
  %next = add i32 %i, %size
  %goes.on = icmp ult i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}

; for (i = id + d; i < n; i += size + 1)
define spir_kernel void @overlapping(ptr addrspace(1) %out, i32 %d, i32 %n) {
  %g = call i64 @zeroth.global_id(i32 0)
  %s = call i64 @zeroth.global_size(i32 0)
  %id = trunc i64 %g to i32
  %size = trunc i64 %s to i32
  %step = add i32 %size, 1
  %first = add i32 %id, %d
  %some = icmp ult i32 %first, %n
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %il = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %il
  %v = atomicrmw add ptr addrspace(1) %p, i32 7 monotonic
  %next = add i32 %i, %step
  %goes.on = icmp ult i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}

define spir_kernel void @required(ptr addrspace(1) %out, i32 %d, i32 %n) !reqd_work_group_size !0 {
  %g = call i64 @zeroth.global_id(i32 0)
  %s = call i64 @zeroth.global_size(i32 0)
  %id = trunc i64 %g to i32
  %size = trunc i64 %s to i32
  %first = add i32 %id, %d
  %some = icmp ult i32 %first, %n
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %il = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %il
  %v = load i32, ptr addrspace(1) %p
  %v3 = mul i32 %v, 3
  %w = add i32 %v3, %i
  store i32 %w, ptr addrspace(1) %p
  %next = add i32 %i, %size
  %goes.on = icmp ult i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}

!0 = !{i32 64, i32 1, i32 1}
)";

using Visit = std::function<void(int& place, uint32_t i, uint32_t id)>;

class LastRounds : public ::testing::TestWithParam<std::tuple<uint32_t, uint32_t>> {
protected:
  void SetUp() override {
    CompileOptions options;
    options.width = std::get<0>(GetParam());
    program = Program::from_text(Kernels, options);
  }

  // Work-item `id` visits id + d, and so on by `step`, while it is below n and began below `begin`.
  void expect(const char* kernel, const Visit& visit, uint32_t beyond = 0, uint32_t divisor = 1) {
    const uint32_t group = std::get<1>(GetParam()), size = group * 3;
    for (uint32_t d : {0u, 5u})
      for (uint32_t n : {0u, 1u, 40u, size - 1, size, size + 1, 3 * size, 3 * size + group, 4 * size + 17}) {
        std::vector<int> out(n + 64), expected;
        for (uint32_t i = 0; i < out.size(); ++i) out[i] = int(i * 77 % 31);
        expected = out;
        for (uint32_t id = 0; id < size; ++id)
          for (uint32_t i = id + d; i < n && id + d < n / divisor; i += size + beyond) visit(expected[i], i, id);
        program->run(kernel, Arguments().buffer(out).value(d).value(n), {{group, 1, 1}, {3, 1, 1}});
        ASSERT_EQ(out, expected) << kernel << ", " << n << " from " << d;
      }
  }

  std::unique_ptr<Program> program;
};

TEST_P(LastRounds, AreThoseOfWorkItemsFurtherOn) {
  expect("narrow", [](int& place, uint32_t i, uint32_t) { place = 3 * place + int(i); });
  expect("wide", [](int& place, uint32_t i, uint32_t) {
    if (place & 1) place = 3 * place + int(i);
  });
}

TEST_P(LastRounds, AreTheWorkItemsOwnWhereThatCanBeSeen) {
  expect("signs", [](int& place, uint32_t, uint32_t id) { place = int(id); });
  expect(
      "halfway", [](int& place, uint32_t, uint32_t) { place += 5; }, 0, 2);
  expect(
      "overlapping", [](int& place, uint32_t, uint32_t) { place += 7; }, 1);
}

TEST_P(LastRounds, MayBeOfGroupsOfKnownSize) {
  if (std::get<1>(GetParam()) == 64)
    expect("required", [](int& place, uint32_t i, uint32_t) { place = 3 * place + int(i); });
}

INSTANTIATE_TEST_SUITE_P(Forms, LastRounds,
                         ::testing::Combine(::testing::Values(0, 1, 4, 16, 64), ::testing::Values(64, 48, 50, 256)));

TEST(LastRoundsReport, TheFormForWholeSlicesHasNoMasks) {
  auto program = Program::from_text(Kernels);
  for (const char* kernel : {"narrow", "wide", "required"})
    EXPECT_EQ(program->kernel(kernel).report.divergent_loops, 0u) << kernel;
  for (const char* kernel : {"signs", "halfway", "overlapping"})
    EXPECT_EQ(program->kernel(kernel).report.divergent_loops, 1u) << kernel;
}

} // namespace
} // namespace zeroth::codegen::testing
